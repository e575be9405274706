internal import Glibc

/// A thread that is joined.
final class Thread {
    private var thread = pthread_t()

    /// Starts the thread.
    init(_ body: @escaping () -> Void) throws {
        let box = Unmanaged.passRetained(Box(body))
        let error = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        try expect(error == 0, "no thread: errno \(error)")
    }

    /// Waits for its end.
    func join() { pthread_join(thread, nil) }

    private final class Box {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }
}

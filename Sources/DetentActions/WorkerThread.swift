import CProcess
import Glibc

/// A thread of this module's own.
///
/// It sets the ordinary scheduling policy for itself, whatever the thread that made it runs under,
/// so that neither it nor a program that it starts ever competes with the real-time loop. Signals
/// go to other threads.
struct WorkerThread: Sendable {
    private let thread: pthread_t

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts the thread; a name longer than 15 bytes is not shown by the kernel.
    init(named name: String, _ run: @escaping @Sendable () -> Void) throws(ActionError) {
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        let error = pthread_create(
            &thread, nil,
            { context in
                // The pointer is the one passed below, never nil.
                let body = Unmanaged<Body>.fromOpaque(context!).takeRetainedValue()
                detent_ordinary_thread(body.name)
                body.run()
                return nil
            }, body.toOpaque())
        if error != 0 {
            body.release()
            throw ActionError(doing: "start the thread \(name)", errno: error)
        }
        self.thread = thread
    }

    /// Waits until the thread has ended; call once.
    func join() {
        pthread_join(thread, nil)
    }
}

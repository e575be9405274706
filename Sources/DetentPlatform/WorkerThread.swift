import CPlatform
public import DetentTypes
import Glibc
import Synchronization

/// A thread beside the real-time loop, under the ordinary scheduling policy and without signals.
///
/// It sets that policy for itself, whatever the thread that made it runs under, so that neither it
/// nor a program that it starts ever competes with the real-time loop. A thread goes on when its
/// last reference is gone; its memory is then freed when it ends.
public final class WorkerThread: Sendable {
    private let thread: pthread_t
    /// Whether the kernel's handle was given back, by a join or by detaching.
    private let isReleased = Atomic<Bool>(false)

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts the thread; a name longer than 15 bytes is not shown by the kernel.
    ///
    /// - Throws: `PlatformError` when the process may have no more threads.
    public init(
        named name: String, _ run: @escaping @Sendable () -> Void
    ) throws(PlatformError) {
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        // It begins with the signal mask of its maker, so a signal could find it for a moment.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
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
            throw PlatformError(doing: "start the thread \(name)", errno: error)
        }
        self.thread = thread
    }

    /// A thread that is neither joined nor detached would keep its memory after its end.
    deinit {
        if !isReleased.load(ordering: .acquiring) { pthread_detach(thread) }
    }

    /// Waits until the thread has ended; call once.
    public func join() {
        isReleased.store(true, ordering: .releasing)
        pthread_join(thread, nil)
    }

    /// Waits until the thread has ended or `deadline` has come; call once.
    ///
    /// - Returns: false where it still runs; nobody can wait for it any more.
    public func join(until deadline: Instant) -> Bool {
        isReleased.store(true, ordering: .releasing)
        if detent_join(thread, deadline.nanoseconds) == 0 { return true }
        pthread_detach(thread)
        return false
    }
}

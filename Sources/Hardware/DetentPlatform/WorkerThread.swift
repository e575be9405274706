import CPlatform
public import DetentTypes
import Glibc
import Synchronization

/// A thread outside the real-time loop, with the normal scheduling policy and without signals.
///
/// It sets this policy itself, whatever the policy of the creating thread. So neither it nor a
/// program that it starts competes with the real-time loop. A thread continues when its last
/// reference is gone; its memory is freed when it ends.
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

    /// Starts the thread. The kernel does not show a name longer than 15 bytes.
    ///
    /// - Throws: `PlatformError` if the process cannot create more threads.
    public init(
        named name: String, _ run: @escaping @Sendable () -> Void
    ) throws(PlatformError) {
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        // The new thread inherits the signal mask, so a signal could reach it for a moment.
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

    /// A thread that is neither joined nor detached would keep its memory after it ends.
    deinit {
        if !isReleased.load(ordering: .acquiring) { pthread_detach(thread) }
    }

    /// Waits until the thread has ended; call once.
    public func join() {
        isReleased.store(true, ordering: .releasing)
        pthread_join(thread, nil)
    }

    /// Waits until the thread has ended, or until `deadline`; call once.
    ///
    /// - Returns: false if it still runs; it can then no longer be joined.
    public func join(until deadline: Instant) -> Bool {
        isReleased.store(true, ordering: .releasing)
        if detent_join(thread, deadline.nanoseconds) == 0 { return true }
        pthread_detach(thread)
        return false
    }
}

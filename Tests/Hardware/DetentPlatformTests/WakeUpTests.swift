import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

/// Sleeping and being woken: descriptors, deadlines, threads.
@Suite struct WakeUpTests {
    @Test func ringsCountAsOneUntilCleared() throws {
        let wakeUp = try WakeUp()
        let set = Sleeper(capacity: 1)
        #expect(set.add(wakeUp.descriptor))
        #expect(!set.wait(now: MonotonicClock.now, until: .zero))
        for _ in 0..<3 { wakeUp.ring() }
        #expect(set.wait(now: MonotonicClock.now, until: .never))
        #expect(set.isReady(0))
        wakeUp.clear()
        #expect(!set.wait(now: MonotonicClock.now, until: .zero))
        #expect(!set.isReady(0))
        wakeUp.clear()
    }

    @Test func fullSetRefusesAndEmptiesAgain() throws {
        let wakeUp = try WakeUp()
        let set = Sleeper(capacity: 2)
        #expect(set.add(wakeUp.descriptor))
        #expect(set.add(-1), "a descriptor that is not there is never ready")
        #expect(!set.add(wakeUp.descriptor))
        wakeUp.ring()
        #expect(set.wait(now: .zero, until: .never))
        #expect(set.isReady(0))
        #expect(!set.isReady(1))
        #expect(!set.isReady(7))
        set.removeAll()
        expectEqual(set.count, 0)
        #expect(!set.wait(now: .zero, until: .zero))
    }

    @Test func deadlineThatHasPassedDoesNotSleep() throws {
        let wakeUp = try WakeUp()
        wakeUp.wait(until: .zero)
        let now = MonotonicClock.now
        wakeUp.wait(until: now)
        wakeUp.wait(until: now + .microseconds(50))
        #expect(MonotonicClock.now >= now + .microseconds(50), "it woke before the deadline")
    }

    @Test func farDeadlinesAreTaken() throws {
        let wakeUp = try WakeUp()
        wakeUp.ring()
        wakeUp.wait(until: Instant(nanoseconds: .max - 1))
        wakeUp.wait(until: Instant(nanoseconds: 1 << 63))
        wakeUp.wait(until: .never)
    }

    @Test func threadIsRungAcross() throws {
        let wakeUp = try WakeUp()
        let worker = try WorkerThread(named: "a name that is too long") { wakeUp.ring() }
        wakeUp.wait()
        worker.join()
    }

    @Test func joinGivesUpAtItsDeadline() throws {
        let wakeUp = try WakeUp()
        let ended = try WakeUp()
        let worker = try WorkerThread(named: "waits") {
            wakeUp.wait()
            ended.ring()
        }
        #expect(!worker.join(until: .zero), "it still waits")
        wakeUp.ring()
        ended.wait()
        let other = try WorkerThread(named: "ends") {}
        #expect(other.join(until: MonotonicClock.now + .seconds(60)))
    }

    /// A stack is 8 MB of addresses: those of 128 ended threads would be 1 GB.
    @Test func anEndedThreadThatNobodyHoldsKeepsNoMemory() throws {
        let before = try Self.addressSpaceInPages()
        for _ in 0..<128 {
            let wakeUp = try WakeUp()
            _ = try WorkerThread(named: "short") { wakeUp.ring() }
            wakeUp.wait()
        }
        let grown = try Self.addressSpaceInPages() - before
        #expect(grown * Int(getpagesize()) < 512_000_000, "\(grown) pages")
    }

    private static func addressSpaceInPages() throws -> Int {
        var text = [CChar](repeating: 0, count: 64)
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let count = read(file, &text, text.count - 1)
        try #require(count > 0)
        return strtol(text, nil, 10)
    }

    @Test func workersTakeNoSignals() throws {
        let blocked = Ring<Bool>(capacity: 4)
        let worker = try WorkerThread(named: "signals") {
            var set = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &set)
            for signal in [SIGTERM, SIGINT, SIGHUP, SIGCHLD] {
                _ = blocked.push(sigismember(&set, signal) == 1)
            }
        }
        worker.join()
        for _ in 0..<4 { expectEqual(blocked.pop(), true) }
    }

    /// Only signals that end a program come out; the others are said.
    @Test(arguments: [true, false]) func signalsEndOrAreSaid(reloads: Bool) throws {
        var mask = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        let said = Ring<UInt8>(capacity: 16)
        let reload: @Sendable () -> Void = { _ = said.push(1) }
        let signals = try SignalInbox(
            reload: reloads ? reload : nil,
            say: { text in _ = said.push(UInt8(text.contains("SIGUSR") ? 2 : 3)) })
        #expect(signals.pop() == nil)
        for signal in [SIGTERM, SIGINT, SIGQUIT] {
            pthread_kill(pthread_self(), signal)
            expectEqual(signals.pop(), signal)
        }
        for signal in [SIGUSR1, SIGUSR2] {
            pthread_kill(pthread_self(), signal)
            #expect(signals.pop() == nil && said.pop() == 2)
        }
        pthread_kill(pthread_self(), SIGHUP)
        expectEqual(signals.pop(), (reloads ? nil : SIGHUP))
        expectEqual(said.pop(), (reloads ? 1 : nil))
        pthread_kill(pthread_self(), SIGUSR1)
        pthread_kill(pthread_self(), SIGTERM)
        expectEqual(signals.pop(), SIGTERM, "what is ignored hides nothing")
    }

    @Test func clockGoesOn() {
        let first = MonotonicClock.now
        #expect(first > .zero)
        #expect(MonotonicClock.now >= first)
    }

    @Test(arguments: [EMFILE, ENFILE, EAGAIN, ENOMEM, EIO])
    func errorsHaveCauseAndRemedy(_ errno: Int32) {
        let error = PlatformError(doing: "open an eventfd", errno: errno)
        #expect(error.description.hasPrefix("cannot open an eventfd: "))
        #expect(!error.remedy.isEmpty && !error.remedy.contains("\n"))
    }

    @Test func realTimeSaysWhatItLacks() {
        for text in RealTime.missing { #expect(text.contains("limit")) }
        expectEqual(RealTime.priorities, 10...45)
    }
}

/// A poll set that an expectation can look at.
private final class Sleeper {
    private var entries: PollSet

    init(capacity: Int) { entries = PollSet(capacity: capacity) }

    var count: Int { entries.count }
    func add(_ descriptor: Int32) -> Bool { entries.add(descriptor) }
    func removeAll() { entries.removeAll() }
    func isReady(_ place: Int) -> Bool { entries.isReady(place) }
    func wait(now: Instant, until deadline: Instant) -> Bool {
        entries.wait(now: now, until: deadline)
    }
}

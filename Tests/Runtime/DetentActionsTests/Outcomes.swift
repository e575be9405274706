import DetentPlatform
import DetentTypes
import Glibc
import Synchronization

@testable import DetentActions

/// Collects what attempts tell, and lets a test wait for it with a deadline.
final class Outcomes: Sendable {
    private let events = Mutex<[AttemptEvent]>([])
    private let wakeUp: WakeUp

    init() throws {
        wakeUp = try WakeUp()
    }

    var tell: @Sendable (AttemptEvent) -> Void {
        { [self] event in
            events.withLock { $0.append(event) }
            wakeUp.ring()
        }
    }

    var all: [AttemptEvent] { events.withLock { $0 } }

    var results: [ActionResult] {
        all.compactMap { event in
            if case .ended(let result) = event { result } else { nil }
        }
    }

    /// Waits until so many attempts have begun; false after the deadline.
    func waitForBegun(_ count: Int) -> Bool {
        wait { all.count - results.count >= count }
    }

    /// Waits until so many attempts have ended; false after the deadline.
    func waitForEnded(_ count: Int) -> Bool {
        wait { results.count >= count }
    }

    private func wait(until isDone: () -> Bool) -> Bool {
        let deadline = MonotonicClock.now + .seconds(60)
        while !isDone() {
            if MonotonicClock.now >= deadline { return false }
            wakeUp.wait(until: deadline)
            wakeUp.clear()
        }
        return true
    }
}

/// An attempt whose first event keeps the thread that tells it, until the test lets it go.
final class HeldAttempt: Sendable {
    private let outcomes: Outcomes
    private let held: WakeUp
    private let gate: WakeUp

    init(_ outcomes: Outcomes) throws {
        self.outcomes = outcomes
        held = try WakeUp()
        gate = try WakeUp()
    }

    var tell: @Sendable (AttemptEvent) -> Void {
        { [self] event in
            held.ring()
            gate.wait(until: MonotonicClock.now + .seconds(60))
            outcomes.tell(event)
        }
    }

    /// Waits until the thread is held; false after the deadline.
    func isHeld() -> Bool {
        var entry = pollfd(fd: held.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 60_000) == 1
    }

    func letGo() { gate.ring() }
}

/// An attempt that did not end in time, or ended otherwise than a test could use.
struct NoResult: Error {}

extension ProcessSupervisor {
    /// Runs one program to its end.
    func result(of request: ActionRequest) throws -> ActionResult {
        let outcomes = try Outcomes()
        start(request, tell: outcomes.tell)
        guard outcomes.waitForEnded(1), let result = outcomes.results.first else {
            throw NoResult()
        }
        return result
    }

    func result(
        _ arguments: [String], environment: [(name: String, value: String)] = [],
        directory: String? = nil, timeout: TimeSpan? = .seconds(50), keepsOutput: Bool = true,
        keepsAnswer: Bool = false
    ) throws -> ActionResult {
        try result(
            of: ActionRequest(
                run: RunID(1),
                .program(
                    ProgramCall(
                        arguments, environment: environment, workingDirectory: directory,
                        keepsStandardOutput: keepsOutput)),
                timeout: timeout, keepsAnswer: keepsAnswer))
    }

    func shell(_ script: String, timeout: TimeSpan? = .seconds(50)) throws -> ActionResult {
        try result(["sh", "-c", script], timeout: timeout)
    }
}

/// Reads a small file of the kernel; empty where there is none.
func contents(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
}

func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var result: [String] = []
    while let entry = readdir(stream) {
        result.append(
            withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            })
    }
    return result
}

/// The fields of /proc/PID/stat behind the name: state, parent, process group …
func processFields(_ path: String) -> [Substring] {
    let text = contents(of: path)
    guard let end = text.lastIndex(of: ")") else { return [] }
    return text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
}

/// Waits until a process is gone or a zombie that nobody reaps; false after the deadline.
func waitUntilDead(_ process: pid_t) -> Bool {
    let deadline = MonotonicClock.now + .seconds(20)
    while MonotonicClock.now < deadline {
        let state = processFields("/proc/\(process)/stat").first
        if state == nil || state == "Z" { return true }
        sched_yield()
    }
    return false
}

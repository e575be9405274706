import DetentActions
import DetentPlatform
import DetentTypes
import Synchronization
import Testing

@testable import DetentPanel

/// A kind of action that only tests have: what one more kind takes, in full.
///
/// `greet: {to: World, times: 2}` sends a greeting; the test says how each one ends.
struct Greeting: Equatable {
    var to: String
    var times: Int
    var isLoud: Bool
    var pause: TimeSpan
    var names: [String]

    /// Reads the keys that the table describes; nil if `to` is missing.
    init?(_ fields: [ActionField]) {
        guard case .text(let to)? = fields["to"] else { return nil }
        self.to = to
        times = if case .integer(let times)? = fields["times"] { times } else { 1 }
        isLoud = if case .boolean(let isLoud)? = fields["loud"] { isLoud } else { false }
        pause = if case .duration(let pause)? = fields["pause"] { pause } else { .zero }
        names = if case .texts(let names)? = fields["names"] { names } else { [] }
    }

    init(to: String, times: Int, isLoud: Bool, pause: TimeSpan, names: [String]) {
        self.to = to
        self.times = times
        self.isLoud = isLoud
        self.pause = pause
        self.names = names
    }
}

// MARK: The table of its keys

extension ActionKind {
    private static let section = Section.actionKind(
        title: "Greeting", summary: "A greeting that is sent to someone.")

    static let greet = ActionKind(
        "greet", .runner, .section(section), "Sends a greeting.", sections: [section],
        keys: [
            KeySpec(section, "to", .text, isRequired: true, "The receiver."),
            KeySpec(section, "times", .integer(1...9), default: "1", "How often."),
            KeySpec(section, "loud", .boolean, default: "false", "Whether in capitals."),
            KeySpec(section, "pause", Schema.milliseconds(0, 1_000), default: "0ms", "Between."),
            KeySpec(section, "names", .list(.text, 1...4), "Other receivers."),
        ])
}

extension Schema {
    /// The line that adds the kind to the table.
    static let withGreetings = Schema(actionKinds: ActionKind.all + [.greet])
}

extension PanelReader {
    static func readWithGreetings(_ text: String) -> Reading {
        read(
            SourceText(file: "panel.yaml", text: text), boards: .builtIn,
            deviceTree: "/nonexistent", schema: .withGreetings)
    }
}

// MARK: Its runner

/// Collects greetings, and ends each of them as the test says.
final class GreetingRunner: ActionRunner {
    struct Sent: Equatable {
        var run: RunID
        var greeting: Greeting
    }

    private struct State {
        var sent: [Sent] = []
        var cancelled: [RunID] = []
        var tells: [RunID: @Sendable (AttemptEvent) -> Void] = [:]
    }

    private let state = Mutex(State())
    private let changed: WakeUp

    init() throws {
        changed = try WakeUp()
    }

    var sent: [Sent] { state.withLock { $0.sent } }
    var cancelled: [RunID] { state.withLock { $0.cancelled } }

    func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        guard case .fields(let fields) = request.payload, let greeting = Greeting(fields) else {
            Issue.record("no greeting: \(request)")
            return
        }
        state.withLock { state in
            state.sent.append(Sent(run: request.run, greeting: greeting))
            state.tells[request.run] = tell
        }
        changed.ring()
    }

    func cancel(_ run: RunID) {
        state.withLock { $0.cancelled.append(run) }
        changed.ring()
    }

    /// Forgets the attempts that have not ended; each keeps its dispatcher.
    func stop(within span: TimeSpan) -> Int {
        state.withLock { state in
            defer { state.tells = [:] }
            return state.tells.count
        }
    }

    /// Ends the newest attempt.
    func end(_ outcome: ActionOutcome) {
        let ended = state.withLock { state in
            state.sent.last.map { ($0.run, state.tells.removeValue(forKey: $0.run)) }
        }
        guard let (run, tell) = ended else { return }
        let now = MonotonicClock.now
        tell?(.began(at: now))
        tell?(
            .ended(
                ActionResult(
                    run: run, outcome: outcome, explanation: "as the test says", startedAt: now,
                    endedAt: now)))
    }

    /// Waits until a condition about it holds; false if it does not within a minute.
    func wait(until holds: () -> Bool) -> Bool {
        let deadline = MonotonicClock.now + .seconds(60)
        while !holds() {
            if MonotonicClock.now >= deadline { return false }
            changed.wait(until: deadline)
            changed.clear()
        }
        return true
    }
}

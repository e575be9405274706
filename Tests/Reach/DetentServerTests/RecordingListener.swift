import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld
import Synchronization

@testable import DetentServer

/// A listener that keeps what it hears.
final class RecordingListener: Listener {
    var backlog = 0
    /// What is sent from now on waits instead of going out.
    var isSlow = false
    private(set) var messages: [JSONValue] = []
    private(set) var end: ListenerEnd?

    func send(_ text: String) {
        if isSlow { backlog += text.utf8.count }
        let message = try? JSONReader.read(Array(text.utf8), depth: 32)
        messages.append(message ?? .string(text))
    }

    func close(_ cause: ListenerEnd) { end = cause }

    /// The messages of a type.
    func all(_ type: String) -> [JSONValue] {
        messages.filter { $0["type"]?.text == type }
    }

    func last(_ type: String) -> JSONValue? { all(type).last }

    /// The types in the order in which they came.
    var types: [String] { messages.map { $0["type"]?.text ?? "?" } }

    /// The numbers of all events, in their order.
    var numbers: [Int] {
        all("events").flatMap { $0["events"]?.items ?? [] }.compactMap { $0["seq"]?.whole }
    }

    func forget() { messages = [] }
}

/// How often a hub has ended the pause between two looks at its panel.
final class PauseCount {
    var count = 0
}

/// A hub in memory, its panel, and a clock that a test moves.
final class HubBench {
    let panel: ServedPanel
    let hub: Hub
    var now = Instant(nanoseconds: 5_000_000_000)
    /// How often the hub has ended the pause between two looks at the panel.
    var endedPauses: Int { pauses.count }
    private let pauses: PauseCount
    private var lastHolder: UInt64 = 0

    convenience init(
        _ panel: ServedPanel? = nil, isSimulated: Bool = false, token: String? = nil
    ) throws {
        try self.init(panel, isSimulated: isSimulated, tokens: AccessTokens(token))
    }

    init(_ panel: ServedPanel? = nil, isSimulated: Bool = false, tokens: AccessTokens) throws {
        let panel = try panel ?? ServedPanel(isSimulated: isSimulated)
        self.panel = panel
        var sessions = 0
        let pauses = PauseCount()
        self.pauses = pauses
        hub = Hub(
            port: panel, simulation: panel.simulation, access: tokens, reload: { true },
            makeSession: {
                sessions += 1
                return "session-\(sessions)"
            },
            endPause: { pauses.count += 1 })
    }

    /// A listener that follows from now on.
    func listen(resuming resumption: Resumption? = nil, role: AccessRole? = nil) -> (
        RecordingListener, InputSourceID
    ) {
        let ear = RecordingListener()
        lastHolder += 1
        let source = InputSourceID(lastHolder)
        let caller = role.map { Caller(role: $0) }
        hub.attach(ear, as: source, resuming: resumption, caller: caller, now: now)
        drain()
        return (ear, source)
    }

    /// Lets the hub look, as the bell would.
    func drain() { hub.drain(now: now) }

    /// Time passes, and what is due goes out.
    func pass(_ span: TimeSpan) {
        now = now + span
        drain()
    }

    /// A message of a listener.
    func say(_ text: String, _ source: InputSourceID) {
        hub.receive(Array(text.utf8), from: source, now: now)
        drain()
    }
}

/// Tokens that a test can foretell: they count, in 32 digits.
final class TokenCount: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> String {
        Self.token(count.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    static func token(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: ConfirmTokens.length - digits.count) + digits
    }
}

extension AccessTokens {
    /// One token, or none.
    init(_ token: String?) {
        self.init(all: token.map { [.init(role: .configure, text: $0)] } ?? [])
    }
}

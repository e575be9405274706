/// What a path names, and how it may be asked for.
///
/// The one reading of a path: methods, roles and answers follow from it. A path that is written in
/// another way, with an empty part or in capitals, names nothing.
enum Resource: Equatable, Sendable {
    case page
    case health, metrics
    case panel, face, wiring, history, events, scenario, trace
    case control(String)
    case controlGesture(control: String, verb: String)
    case lineGesture(line: String, verb: String)
    case clock, simulation, resync, lampTest, reload

    /// Reads a decoded path; nil if it names nothing.
    ///
    /// - Parameter isPage: whether the page has a file at this path.
    init?(path: String, isPage: (String) -> Bool) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch parts.map(String.init) {
        case ["healthz"]: self = .health
        case ["metrics"]: self = .metrics
        case let parts where parts.starts(with: ["api", "v1"]) && !parts.contains(""):
            guard let resource = Self.ofInterface(Array(parts.dropFirst(2))) else { return nil }
            self = resource
        case _:
            guard isPage(path) else { return nil }
            self = .page
        }
    }

    private static func ofInterface(_ parts: [String]) -> Resource? {
        switch (parts.count, parts.first, parts.last) {
        case (1, let name?, _): plain[name]
        case (2, "controls", let id?): .control(id)
        case (3, "controls", let verb?): .controlGesture(control: parts[1], verb: verb)
        case (3, "lines", let verb?): .lineGesture(line: parts[1], verb: verb)
        case _: nil
        }
    }

    private static let plain: [String: Resource] = [
        "panel": .panel, "face": .face, "wiring": .wiring, "history": .history, "events": .events,
        "scenario": .scenario, "trace": .trace, "clock": .clock, "simulation": .simulation,
        "resync": .resync, "lamp-test": .lampTest, "reload": .reload,
    ]

    /// The methods that it takes.
    var methods: [String] {
        switch self {
        case .page, .health, .metrics, .panel, .face, .wiring, .history, .scenario, .trace:
            ["GET", "HEAD"]
        case .events: ["GET"]
        case .control: ["PUT"]
        case .controlGesture, .lineGesture, .clock, .simulation, .resync, .lampTest, .reload:
            ["POST"]
        }
    }

    /// Whether asking for it changes nothing.
    var isRead: Bool { methods.contains("GET") }

    /// The role that it needs; nil if it needs no token.
    var role: AccessRole? {
        switch self {
        case .page, .health: nil
        case .metrics, .panel, .face, .wiring, .history, .events, .scenario, .trace: .view
        case .control, .controlGesture, .lineGesture, .clock, .simulation, .resync, .lampTest:
            .operate
        case .reload: .configure
        }
    }
}

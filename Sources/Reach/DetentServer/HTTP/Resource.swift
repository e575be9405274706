/// What a path names, and how it may be asked for.
///
/// The one reading of a path: methods, roles and answers follow from it. A path that is written in
/// another way, with an empty part or in capitals, names nothing.
enum Resource: Equatable, Sendable {
    case page
    case health, metrics
    case panel, face, wiring, history, events, scenario, trace
    case control(String)
    case closing(String)
    case controlGesture(control: String, verb: String)
    case lineGesture(line: String, verb: String)
    case clock, simulation, resync, lampTest, reload
    case file

    /// Reads a decoded path; nil if it names nothing.
    ///
    /// - Parameter isPage: whether the page has a file at this path.
    init?(path: String, isPage: (String) -> Bool) {
        if let plain = Self.plain[path] {
            self = plain
            return
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if !parts.contains(""), let resource = Self.ofPanel(parts.map(String.init)) {
            self = resource
            return
        }
        guard isPage(path) else { return nil }
        self = .page
    }

    private static let plain: [String: Resource] = [
        "/healthz": .health, "/metrics": .metrics, "/api/v1/panel": .panel, "/api/v1/face": .face,
        "/api/v1/wiring": .wiring, "/api/v1/history": .history, "/api/v1/events": .events,
        "/api/v1/scenario": .scenario, "/api/v1/trace": .trace, "/api/v1/clock": .clock,
        "/api/v1/simulation": .simulation, "/api/v1/resync": .resync,
        "/api/v1/lamp-test": .lampTest, "/api/v1/reload": .reload, "/api/v1/file": .file,
    ]

    /// What has a name of the panel in its path.
    private static func ofPanel(_ parts: [String]) -> Resource? {
        guard parts.starts(with: ["api", "v1"]) else { return nil }
        return switch (parts.dropFirst(2).first, parts.count) {
        case ("controls", 4): .control(parts[3])
        case ("controls", 5) where parts[4] == "close": .closing(parts[3])
        case ("controls", 5): .controlGesture(control: parts[3], verb: parts[4])
        case ("lines", 5): .lineGesture(line: parts[3], verb: parts[4])
        case _: nil
        }
    }

    /// The methods that it takes.
    var methods: [String] {
        switch self {
        case .page, .health, .metrics, .panel, .face, .wiring, .history, .scenario, .trace:
            ["GET", "HEAD"]
        case .events: ["GET"]
        case .control: ["PUT", "PATCH"]
        case .file: ["GET", "HEAD", "POST", "PUT"]
        case .closing, .controlGesture, .lineGesture, .clock, .simulation, .resync, .lampTest,
            .reload:
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
        case .control, .closing, .controlGesture, .lineGesture, .clock, .simulation, .resync,
            .lampTest:
            .operate
        case .reload, .file: .configure
        }
    }
}

/// What a caller may do. Each role includes the ones before it.
enum AccessRole: UInt8, CaseIterable, Comparable, Sendable {
    /// Read the panel, its events and its figures.
    case view
    /// Also change controls, and play a simulated panel.
    case operate
    /// Also have the panel file read again.
    case configure

    /// The word in `--token-file ROLE=FILE`, and in snapshots.
    var word: String {
        switch self {
        case .view: "view"
        case .operate: "operate"
        case .configure: "configure"
        }
    }

    static func < (one: AccessRole, other: AccessRole) -> Bool { one.rawValue < other.rawValue }

    /// The role that a request needs.
    ///
    /// - Parameter path: the path, such as `/api/v1/reload`; no request that changes something
    ///   needs less than `operate`, so that a new one is not open to viewers by mistake.
    static func needed(isRead: Bool, path: String) -> AccessRole {
        if isRead { return .view }
        // As `RequestHandler` reads the path: empty parts do not count.
        return path.split(separator: "/") == ["api", "v1", "reload"] ? .configure : .operate
    }

    /// The role that a message of a WebSocket needs.
    static func needed(message type: String?) -> AccessRole {
        switch type {
        case "token", "ping", "trace": .view
        case "reload": .configure
        case _: .operate
        }
    }
}

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
}

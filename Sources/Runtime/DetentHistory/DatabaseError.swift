import Glibc

/// Why SQLite refused something.
enum DatabaseError: Error, Equatable {
    /// The library cannot be used.
    case missing(String)
    /// The connection was closed.
    case closed
    /// The library answered with a code; `errno` is 0 if no call of the system failed.
    case refused(code: Int32, errno: Int32, text: String)

    private static let full: Int32 = 13
    private static let busy: Int32 = 5
    private static let damaged: Int32 = 11
    private static let foreign: Int32 = 26

    /// Whether the file itself is at fault: it can be renamed, and a new one made.
    var isDamage: Bool {
        switch self {
        case .refused(let code, _, _): code == Self.damaged || code == Self.foreign
        case .missing, .closed: false
        }
    }

    /// The cause, for people.
    var cause: String {
        switch self {
        case .missing(let text): text
        case .closed: "it was closed"
        case .refused(Self.full, _, _): String(cString: strerror(ENOSPC))
        case .refused(Self.busy, _, _): "another program has it open"
        case .refused(Self.damaged, _, _): "it is damaged"
        case .refused(Self.foreign, _, _): "it is not a database"
        case .refused(_, let errno, let text):
            errno == 0 || errno == ENOENT ? text : String(cString: strerror(errno))
        }
    }
}

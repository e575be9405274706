import CWall
import DetentPanel
import DetentTypes
import Glibc

/// Why a process beside a panel may not begin.
package struct WallError: DescribedError, Equatable, Sendable {
    /// The cause, in one line.
    package var cause: String
    /// The remedy, in one line.
    package var remedy: String

    init(cause: String, remedy: String) {
        self.cause = cause
        self.remedy = remedy
    }

    /// A process that cannot be shut in, with the negative error number of the system.
    init(_ name: String, cannotBeShutIn error: Int32) {
        cause = "\(name) cannot be shut in: \(String(cString: strerror(-error)))"
        remedy =
            "run Detent as an ordinary user; see `What each process may do` in docs/deployment.md"
    }
}

/// Shuts in a process that reads what strangers send: when a fault of it is used to take it over,
/// it can still do its work only.
package enum ProcessWall {
    /// What a process is for; it decides which system calls are allowed.
    package enum Role {
        case gateway
        case broker
        case hearer
        case keys

        fileprivate var inC: detent_wall_role {
            switch self {
            case .gateway: DETENT_WALL_GATEWAY
            case .broker: DETENT_WALL_BROKER
            case .hearer: DETENT_WALL_HEARER
            case .keys: DETENT_WALL_KEYS
            }
        }
    }

    /// Shuts this process in, for good.
    ///
    /// Call it before threads begin, and after everything has been opened that the process may not
    /// open later.
    /// - Parameters:
    ///   - name: what messages call the process.
    ///   - paths: the files and folders that it reads later; nil if it reads none. A file that is
    ///     replaced needs a new process where the kernel has Landlock: `isOutdated`.
    ///   - port: where its broker listens.
    ///   - isFirst: whether no process of this panel has said yet what this machine cannot do.
    ///   - say: prints a message for people.
    /// - Throws: `WallError` if the process could do more than it may; it must end then.
    package static func enclose(
        _ role: Role, name: String, reading paths: [String]? = nil, port: UInt16 = 0,
        isFirst: Bool = true, say: (String) -> Void
    ) throws {
        var texts = paths.map { $0.map { UnsafePointer(strdup($0)) } + [nil] }
        defer { for text in texts ?? [] { free(UnsafeMutablePointer(mutating: text)) } }
        var wall = detent_wall()
        wall.role = role.inC
        wall.port = port
        let result =
            texts?.withUnsafeMutableBufferPointer { texts in
                wall.paths = UnsafePointer(texts.baseAddress)
                return detent_wall_enclose(&wall)
            } ?? detent_wall_enclose(&wall)
        guard result >= 0 else {
            throw WallError(name, cannotBeShutIn: result)
        }
        for lack in words(result) where isFirst { say("detent: \(name) \(lack)\n") }
    }

    /// Whether this kernel bounds the connections of a broker's process.
    package static var boundsConnections: Bool { detent_wall_bounds_connections() }

    /// What to say of a page beside a connection to a broker, for people; nil if there is nothing.
    ///
    /// - Parameters:
    ///   - asksForToken: whether the page asks for a token.
    ///   - isBounded: `boundsConnections`.
    package static func note(pageAsksForToken asksForToken: Bool, isBounded: Bool) -> String? {
        guard !asksForToken, !isBounded else { return nil }
        return "detent: the page asks for no token, and this kernel cannot keep the connection to "
            + "the broker away from it (Landlock of Linux 6.7)\n"
            + "help: use `--token-file`, or a newer kernel, if you do not trust the broker\n"
    }

    /// Whether a file has been replaced that only a new process can read.
    package static var isOutdated: Bool { detent_wall_is_outdated() }

    /// A path for a file that only root can read: of a copy in memory. Any other path stays
    /// as it is. Call it before `enclose`.
    package static func kept(_ path: String) -> String {
        guard geteuid() == 0 else { return path }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { copy in
            detent_wall_keep_file(path, copy.baseAddress)
                ? String(cString: copy.baseAddress!) : path
        }
    }

    private static func words(_ lacks: Int32) -> [String] {
        var words: [String] = []
        if lacks & Int32(DETENT_WALL_NO_FILTER) != 0 {
            words.append("runs without a filter of system calls, because this kernel has none")
        }
        if lacks & Int32(DETENT_WALL_SAME_USER) != 0 {
            words.append(
                "stays root, without privileges, because it cannot become another user here")
        }
        return words
    }
}

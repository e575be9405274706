public import DetentPlatform
import DetentTypes
import Glibc

/// Where `detent reload` finds the process that runs a panel file.
///
/// A socket in a folder that only its owner can write. Any user could take a name without a file
/// first, and answer in the panel's place.
public enum ReloadDoor {
    /// Why a door cannot be opened.
    public struct Problem: Error, Equatable {
        /// What failed, in one line.
        public let cause: String
    }

    /// The folders of doors, as a process sees them.
    struct Places {
        /// Made by root, or by the service manager.
        var system: String
        /// The folder of a user who has no service.
        var user: String
        /// The folder of doors of the process: the one of its service, else that of its user.
        var own: String
        /// The number of its user.
        var me: UInt32

        init(
            system: String = "/run/detent", of me: UInt32 = geteuid(),
            variable: (String) -> String? = Self.variable
        ) {
            func folder(_ name: String) -> String? {
                variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
            }
            self.system = system
            self.me = me
            user = folder("XDG_RUNTIME_DIR").map { $0 + "/detent" } ?? "/tmp/detent-\(me)"
            let service = folder("RUNTIME_DIRECTORY")?.split(separator: ":").first
            own = service.map(String.init) ?? (me == 0 ? system : user)
        }

        private static func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }
        }
    }

    /// Opens the door of a panel file.
    ///
    /// - Returns: nil if the file cannot be found.
    /// - Throws: `Problem` if the folder cannot be used, or another process has this door.
    public static func open(of file: String) throws(Problem) -> LocalDoor? {
        try open(of: file, in: Places())
    }

    static func open(of file: String, in places: Places) throws(Problem) -> LocalDoor? {
        guard let name = names(of: file).first else { return nil }
        let folder = places.own
        // The folder of root holds those of services, which others have to pass.
        mkdir(folder, places.me == 0 ? 0o755 : 0o700)
        guard owner(of: folder) == places.me else {
            throw Problem(cause: "\(folder) is not a folder that only this user can write")
        }
        let path = "\(folder)/\(name)"
        // A process that was killed leaves its socket behind.
        if LocalCall.call(path) == nil, errno == ECONNREFUSED { unlink(path) }
        do throws(PlatformError) {
            return try LocalDoor(at: path, alias: names(of: file).last.map { "\(folder)/\($0)" })
        } catch {
            throw Problem(cause: error.cause)
        }
    }

    /// Calls the process that runs a panel file.
    ///
    /// - Returns: nil if there is none. The process behind a door has the user who owns its folder.
    public static func call(of file: String) -> LocalCall? { call(of: file, in: Places()) }

    static func call(of file: String, in places: Places) -> LocalCall? {
        for folder in folders(places) {
            guard let owner = owner(of: folder) else { continue }
            for name in names(of: file) {
                guard let call = LocalCall.call("\(folder)/\(name)") else { continue }
                if call.user == owner { return call }
            }
        }
        return nil
    }

    /// Where doors can be: the caller's own folder, and those that root or a service made.
    private static func folders(_ places: Places) -> [String] {
        let system = places.system
        var folders = [places.own, system] + services(below: system)
        if places.me != 0 { folders.append(places.user) }
        return folders.filter { folder in
            // Only root can make a folder in that of the system.
            folder == system || folder.hasPrefix(system + "/")
                ? owner(of: system) == 0 : owner(of: folder) == places.me
        }
    }

    private static func services(below system: String) -> [String] {
        guard let directory = opendir(system) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(system)/\($0)" }
    }

    /// The owner of a folder that no other user can write; nil if it is not one.
    private static func owner(of folder: String) -> UInt32? {
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            status.st_mode & 0o022 == 0
        else { return nil }
        return status.st_uid
    }

    /// The names of a door: one that all paths of the file give, and one of the path as it is
    /// given, whose links may lead elsewhere by now. None if there is no file.
    private static func names(of file: String) -> [String] {
        guard let path = realpath(file, nil) else { return [] }
        defer { free(path) }
        // A path can be longer than the name of a socket.
        return [String(cString: path), AbsolutePath.of(file)].map {
            "reload-" + String(FNV1a.sum($0.utf8), radix: 16)
        }
    }
}

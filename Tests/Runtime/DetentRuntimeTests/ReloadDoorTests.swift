import DetentPlatform
import Glibc
import TestSupport
import Testing

@testable import DetentRuntime

/// Where the process that runs a panel file is found, and where nobody can answer in its place.
@Suite struct ReloadDoorTests {
    private let folder = FaultyFolder()
    private let panel: String

    init() throws {
        panel = folder.path + "/panel.yaml"
        try folder.put("panel: P\n", "panel.yaml")
    }

    /// Places below the folder of the test, for its user.
    private func places(own: String, system: String = "no-system") -> ReloadDoor.Places {
        var places = ReloadDoor.Places(system: folder.path + "/" + system) { _ in nil }
        places.own = folder.path + "/" + own
        places.user = folder.path + "/of-user"
        return places
    }

    private func make(_ name: String, _ mode: mode_t = 0o700) {
        expectEqual(mkdir(folder.path + "/" + name, 0o700), 0)
        expectEqual(chmod(folder.path + "/" + name, mode), 0)
    }

    private func clear(_ names: String...) {
        for name in names { rmdir(folder.path + "/" + name) }
    }

    /// What a caller is told by the process behind a door.
    private func talk(_ door: LocalDoor, _ places: ReloadDoor.Places, _ file: String) -> String? {
        guard let call = ReloadDoor.call(of: file, in: places), let other = door.accept() else {
            return nil
        }
        other.send("hello")
        return call.receive()
    }

    // MARK: Folders

    @Test func aServiceHasItsOwnFolder() {
        func places(_ user: UInt32, _ variables: [String: String]) -> ReloadDoor.Places {
            ReloadDoor.Places(of: user) { variables[$0] }
        }
        let root = places(0, [:])
        expectEqual(
            [root.own, root.system, root.user], ["/run/detent", "/run/detent", "/tmp/detent-0"])
        expectEqual(root.me, 0)
        let user = places(7, [:])
        expectEqual(
            [user.own, user.system, user.user], ["/tmp/detent-7", "/run/detent", "/tmp/detent-7"])
        expectEqual(user.me, 7)
        let session = places(7, ["XDG_RUNTIME_DIR": "/run/user/7"])
        expectEqual([session.own, session.user], ["/run/user/7/detent", "/run/user/7/detent"])
        let service = places(
            7, ["RUNTIME_DIRECTORY": "/run/detent/a:/run/b", "XDG_RUNTIME_DIR": "/run/user/7"])
        expectEqual([service.own, service.user], ["/run/detent/a", "/run/user/7/detent"])
        expectEqual(places(0, ["RUNTIME_DIRECTORY": "/run/x"]).own, "/run/x")
        // Not from the root, so it is not one that a service manager made.
        let odd = places(7, ["RUNTIME_DIRECTORY": "a", "XDG_RUNTIME_DIR": "b"])
        expectEqual([odd.own, odd.user], ["/tmp/detent-7", "/tmp/detent-7"])
        expectEqual(ReloadDoor.Places().me, geteuid())
    }

    // MARK: Doors

    @Test func aDoorIsFoundByItsFile() throws {
        defer { clear("own") }
        let places = places(own: "own")
        #expect(ReloadDoor.call(of: panel, in: places) == nil)
        do {
            let door = try #require(try ReloadDoor.open(of: panel, in: places))
            expectEqual(talk(door, places, panel), "hello")
            expectEqual(talk(door, places, folder.path + "/./panel.yaml"), "hello")
            try folder.put("panel: Q\n", "other.yaml")
            #expect(ReloadDoor.call(of: folder.path + "/other.yaml", in: places) == nil)
            #expect(ReloadDoor.call(of: folder.path + "/none.yaml", in: places) == nil)
            var status = stat()
            expectEqual(lstat(places.own, &status), 0)
            expectEqual(status.st_mode & 0o777 & ~0o022, geteuid() == 0 ? 0o755 : 0o700)
        }
        #expect(ReloadDoor.call(of: panel, in: places) == nil, "it has closed")
    }

    /// The file by its link, and by the link when it leads elsewhere by now.
    @Test func aDoorIsFoundByALink() throws {
        defer { clear("own") }
        let places = places(own: "own")
        let link = folder.path + "/current.yaml"
        try #require(symlink(panel, link) == 0)
        let door = try #require(try ReloadDoor.open(of: link, in: places))
        expectEqual(talk(door, places, link), "hello")
        expectEqual(talk(door, places, panel), "hello")
        try folder.put("panel: P\n", "next.yaml")
        unlink(link)
        try #require(symlink(folder.path + "/next.yaml", link) == 0)
        expectEqual(talk(door, places, link), "hello")
        withExtendedLifetime(door) {}
    }

    @Test func aFileThatIsNotThereHasNoDoor() throws {
        let places = places(own: "own")
        #expect(try ReloadDoor.open(of: folder.path + "/none.yaml", in: places) == nil)
        #expect(!folder.contains("own"), "no folder is made for it")
    }

    /// A process that was killed leaves its socket; one that runs keeps it.
    @Test func aDoorThatWasLeftIsOpenedAgain() throws {
        defer { clear("own") }
        let places = places(own: "own")
        var path = ""
        do {
            let door = try #require(try ReloadDoor.open(of: panel, in: places))
            #expect(throws: ReloadDoor.Problem.self) {
                _ = try ReloadDoor.open(of: panel, in: places)
            }
            #expect(door.accept() != nil, "who looks whether a process answers")
            expectEqual(talk(door, places, panel), "hello", "it has it still")
            path = try #require(Self.names(places.own).first)
        }
        // A socket that nobody listens at.
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        expectEqual(isBound, 0)
        close(socket)
        #expect(ReloadDoor.call(of: panel, in: places) == nil)
        let door = try #require(try ReloadDoor.open(of: panel, in: places))
        expectEqual(talk(door, places, panel), "hello")
        withExtendedLifetime(door) {}
    }

    private static func names(_ folder: String) -> [String] {
        SystemFolder.names(in: folder).map { folder + "/" + $0 }
    }

    /// Anyone could open a door in a folder that others can write, or behind a link.
    @Test(arguments: ["group", "others", "link", "file"])
    func aFolderOfOthersIsNotUsed(what: String) throws {
        defer {
            clear("own", "theirs")
            unlink(folder.path + "/own")
        }
        let places = places(own: "own")
        let good = self.places(own: "good")
        defer { clear("good") }
        let door = try #require(try ReloadDoor.open(of: panel, in: good))
        switch what {
        case "group": make("own", 0o770)
        case "others": make("own", 0o702)
        case "link":
            make("theirs")
            try #require(symlink(folder.path + "/theirs", folder.path + "/own") == 0)
        default: try folder.put("", "own")
        }
        #expect {
            _ = try ReloadDoor.open(of: panel, in: places)
        } throws: { error in
            (error as? ReloadDoor.Problem)?.cause
                == "\(places.own) is not a folder that only this user can write"
        }
        // Nor is one called that someone has put there.
        if let socket = Self.names(good.own).first, what == "group" || what == "others" {
            let name = socket.split(separator: "/").last.map(String.init) ?? ""
            expectEqual(symlink(socket, places.own + "/" + name), 0)
            #expect(ReloadDoor.call(of: panel, in: places) == nil)
            unlink(places.own + "/" + name)
        }
        expectEqual(talk(door, good, panel), "hello")
    }

    /// A caller looks in its own folder, then where root and the services have theirs.
    @Test(.enabled(if: geteuid() == 0)) func doorsOfServicesAreFound() throws {
        defer { clear("system/b", "system/a", "system", "own", "own2") }
        make("system", 0o755)
        make("system/a", 0o755)
        var caller = places(own: "own", system: "system")
        for own in ["system", "system/a", "system/b"] {
            let door = try #require(
                try ReloadDoor.open(of: panel, in: places(own: own, system: "system")))
            expectEqual(talk(door, caller, panel), "hello", "\(own)")
        }
        // The folder of a user is for callers who are one.
        let user = places(own: "of-user", system: "system")
        defer { clear("of-user") }
        let door = try #require(try ReloadDoor.open(of: panel, in: user))
        #expect(ReloadDoor.call(of: panel, in: caller) == nil)
        // Another user finds no door in a folder that is not theirs.
        caller.me = 12_345
        #expect(ReloadDoor.call(of: panel, in: caller) == nil)
        // A folder of the system that others can write is none.
        caller.me = 0
        let service = try #require(
            try ReloadDoor.open(of: panel, in: places(own: "system/a", system: "system")))
        expectEqual(talk(service, caller, panel), "hello")
        expectEqual(chmod(folder.path + "/system", 0o777), 0)
        #expect(ReloadDoor.call(of: panel, in: caller) == nil)
        expectEqual(chmod(folder.path + "/system", 0o755), 0)
        expectEqual(talk(service, caller, panel), "hello")
        withExtendedLifetime(door) {}
    }
}

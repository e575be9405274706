internal import Glibc
internal import KernelSupport

/// What a panel finds on its machine: its programs, its hosts, its secrets.
enum Surroundings {
    /// Everything of this tool.
    static let folder = "/tmp/worlds"
    /// The first folder of PATH; each program of a panel is a link to the stand-in.
    static let programs = "\(folder)/bin"
    private static let settings = "\(folder)/etc"
    /// Files of /etc that programs of the machine need.
    private static let kept = [
        "passwd", "group", "nsswitch.conf", "host.conf", "ld.so.cache", "localtime", "services",
    ]

    /// Makes the folders, and covers /etc with one that can be written.
    static func prepare() throws {
        for made in [folder, programs, settings] { mkdir(made, 0o755) }
        for name in kept {
            if let text = try? KernelFile.text("/etc/\(name)") {
                try write(text, to: "\(settings)/\(name)")
            }
        }
        try hosts([])
        guard mount(settings, "/etc", nil, UInt(MS_BIND), nil) == 0 else {
            throw Failure("cannot cover /etc: errno \(errno)")
        }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/sbin:/usr/bin"
        setenv("PATH", "\(programs):\(path):/usr/sbin", 1)
    }

    /// Makes hosts names of this machine.
    static func hosts(_ names: [String]) throws {
        let lines = (["localhost"] + names).map { "127.0.0.1 \($0)\n" }
        try write(lines.joined(), to: "\(settings)/hosts")
    }

    /// Lets programs be found: each is a link to the stand-in, which lies beside this program.
    static func install(_ names: [String]) {
        var room = [UInt8](repeating: 0, count: 4096)
        let count = room.withUnsafeMutableBytes {
            readlink("/proc/self/exe", $0.bindMemory(to: CChar.self).baseAddress!, $0.count)
        }
        let path = String(decoding: room.prefix(max(count, 0)), as: UTF8.self)
        let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
        for name in names { symlink("\(folder)detent-stand-in", "\(programs)/\(name)") }
    }

    /// Writes the secrets that a text names as files below /etc.
    static func tell(_ text: String) throws {
        var rest = text[...]
        while let start = rest.firstRange(of: "${file:/etc/") {
            rest = rest[start.upperBound...]
            let path = "\(settings)/\(rest.prefix { $0 != "}" })"
            mkdir(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)), 0o755)
            try write("secret\n", to: path)
        }
    }

    /// Writes a file whole.
    static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Failure("\(path): errno \(errno)") }
        defer { close(file) }
        var text = text
        let count = text.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count == text.utf8.count else { throw Failure("\(path) was not written completely") }
    }
}

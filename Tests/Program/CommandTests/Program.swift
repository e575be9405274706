import Glibc

/// The built `detent`, run as a person runs it.
enum Program {
    /// The program, which stands beside the test bundle; `DETENT_PROGRAM` names another one.
    static let path: String = {
        if let other = getenv("DETENT_PROGRAM") { return String(cString: other) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let text = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        return text.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/detent"
    }()

    /// The root of the project, by the place of this file.
    static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    static let panel = root + "/panels/lab-supply/panel.yaml"

    /// How a run ended.
    struct Result {
        var output: String
        var errors: String
        /// The exit code, or nil where a signal ended it or it took more than a minute.
        var code: Int32?
        var signal: Int32 = 0

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// Runs `detent` with an input, until it ends.
    ///
    /// - Parameters:
    ///   - shell: what a shell does before it, such as `ulimit -n 16;`.
    ///   - redirect: where a shell sends its streams, such as `>/dev/full`.
    static func run(
        _ arguments: [String], input: String = "", shell: String = "", redirect: String = ""
    ) -> Result {
        let session = Session(arguments, shell: shell, redirect: redirect)
        session.write(input)
        session.closeInput()
        return session.end()
    }

    static func run(_ arguments: String...) -> Result { run(arguments) }

    /// Whether this user may have folders of its own in place of the kernel's.
    static let canHideFiles =
        run(
            ["--version"], shell: "unshare -m mount -t tmpfs none /sys/class || exit 9;"
        ).code == 0

    /// What a shell does before the program so that it sees other folders, such as
    /// `mount -t tmpfs none /sys/class`; nothing else on the machine sees them.
    static func seeing(_ script: String) -> String {
        "exec unshare -m /bin/sh -c '\(script) && exec \"$0\" \"$@\"' \"$0\" \"$@\";"
    }

    /// Runs `detent-lab`, which stands beside the program, until it ends.
    static func lab(_ arguments: [String]) -> Result {
        let session = Session(arguments, of: path + "-lab")
        session.closeInput()
        return session.end()
    }

    /// The file of a panel with a heater, which a button turns on and off.
    ///
    /// - Parameter keys: more keys of the heater; each line after the first begins with 4 spaces.
    static func heater(_ panel: String, _ keys: String) -> String {
        """
        panel: \(panel)
        board: none
        controls:
          heater:
            kind: toggle-button
            label: Heater
            input: BUTTON
            \(keys)

        """
    }
}

/// A file of one test, removed with this value.
struct TemporaryFile: ~Copyable {
    let path: String

    init(_ name: String, _ bytes: [UInt8]) {
        var template = Array("/tmp/detent-test-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { buffer in
            // The buffer has an address, since it is not empty.
            String(cString: mkdtemp(buffer.baseAddress!))
        }
        path = folder + "/" + name
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        close(file)
    }

    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    private let folder: String

    deinit {
        unlink(path)
        rmdir(folder)
    }
}

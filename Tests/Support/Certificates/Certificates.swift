import Glibc

/// Certificates of an authority that exists for one test, by Debian's openssl.
public final class Certificates {
    /// The program that makes them.
    public static let program = "/usr/bin/openssl"
    /// Whether it is there.
    public static let isInstalled = access(program, X_OK) == 0

    /// Why they could not be made.
    public struct Failure: Error {
        /// What failed.
        public var text: String
    }

    /// Where they are; removed with this object.
    public let folder: String

    /// Makes an authority, `ca.pem`.
    public init() throws {
        var template = Array("/tmp/detent-tls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(text: "no folder") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try run(
            ["req", "-x509", "-nodes"] + Self.newKey + [
                "-keyout", path("ca.key"), "-out", path("ca.pem"), "-days", "2", "-subj",
                "/CN=Test authority",
            ])
    }

    deinit {
        guard let entries = opendir(folder) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { unlink(path(name)) }
        }
        closedir(entries)
        rmdir(folder)
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    /// The path of a file in the folder.
    public func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Makes `NAME.pem` and `NAME.key`, good for this host.
    ///
    /// - Parameters:
    ///   - host: such as `IP:127.0.0.1` or `DNS:panel.example`.
    ///   - days: how long the certificate is valid; with less than 0 it has expired.
    public func issue(_ name: String, for host: String, days: Int = 2) throws {
        try run(
            ["req", "-nodes"] + Self.newKey + [
                "-keyout", path("\(name).key"), "-out", path("\(name).csr"), "-subj", "/CN=\(name)",
            ])
        guard let file = fopen(path("\(name).ext"), "w") else {
            throw Failure(text: "no file")
        }
        fputs("subjectAltName=\(host)\n", file)
        fclose(file)
        try run([
            "x509", "-req", "-in", path("\(name).csr"), "-CA", path("ca.pem"), "-CAkey",
            path("ca.key"), "-CAcreateserial", "-days", "\(days)", "-extfile",
            path("\(name).ext"), "-out", path("\(name).pem"),
        ])
    }

    /// Makes `NAME.pem` and `NAME.key`, good for this host and signed by nobody else.
    public func selfSign(_ name: String, for host: String) throws {
        try run(
            ["req", "-x509", "-nodes"] + Self.newKey + [
                "-keyout", path("\(name).key"), "-out", path("\(name).pem"), "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=\(host)",
            ])
    }

    private func run(_ words: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var arguments: [UnsafeMutablePointer<CChar>?] =
            ([Self.program] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, Self.program, &actions, nil, &arguments, environ) == 0 else {
            throw Failure(text: "openssl cannot start")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(text: "openssl failed: \(words)") }
    }
}

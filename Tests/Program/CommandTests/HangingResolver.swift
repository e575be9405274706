import Glibc
import Testing

/// A library that makes look-ups of names in `.hangs` hang, for programs that it is loaded into.
struct HangingResolver: ~Copyable {
    /// The compiler of the toolchain; nil if there is none.
    static let compiler: String? = {
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return folders.split(separator: ":").map { "\($0)/clang" }
            .first { access($0, X_OK) == 0 }
    }()

    private let folder = Folder()
    /// What a shell does before a program that it is for.
    var shell: String { "export LD_PRELOAD=\(folder.path)/resolver.so;" }

    init() throws {
        let source = Program.root + "/Tests/Support/HangingResolver/resolver.c"
        let compiler = try #require(Self.compiler)
        let made = Session(
            [],
            shell: "exec \(compiler) -shared -fPIC -Wall -o \(folder.path)/resolver.so "
                + "\(source) -ldl;"
        ).end()
        try #require(made.code == 0, "\(made)")
    }
}

/// The versions that a panel depends on.
public struct MachineVersions: Equatable, Sendable {
    /// The version of Detent.
    public var program: String
    /// The version of libgpiod.
    public var library: String
    /// The GPIO interface of the kernel that this libgpiod uses: 1 or 2.
    public var interface: Int
    /// The kernel's release, as `uname -r` prints it.
    public var kernel: String

    /// Takes the versions as they are; nothing is checked here.
    public init(program: String, library: String, interface: Int, kernel: String) {
        self.program = program
        self.library = library
        self.interface = interface
        self.kernel = kernel
    }

    /// The versions, and what the kernel is too old for.
    public var findings: [Finding] {
        let all = Finding.fine(
            "Detent \(program), libgpiod \(library), kernel interface \(interface), "
                + "Linux \(kernel)")
        guard let release else { return [all] }
        // Bias of lines: Linux 5.5. Interface 2: Linux 5.10. Both from the kernel's documentation.
        if interface == 2, release < (5, 10) {
            return [
                all,
                .problem(
                    "Linux \(kernel) has no GPIO interface 2, which libgpiod \(library) uses",
                    "use Linux 5.10 or later, or a build of Detent against libgpiod 1.6"),
            ]
        }
        if release < (5, 5) {
            return [
                all,
                .problem(
                    "Linux \(kernel) cannot set the pull resistors of lines",
                    "use Linux 5.5 or later"),
            ]
        }
        return [all]
    }

    /// The first two numbers of the release; nil if it begins with other text.
    private var release: (Int, Int)? {
        var parts = kernel.split(separator: ".", maxSplits: 2)[...]
        guard let major = parts.popFirst().flatMap({ Int($0) }),
            let minor = parts.popFirst().flatMap({ Int($0.prefix { $0.isNumber }) })
        else { return nil }
        return (major, minor)
    }
}

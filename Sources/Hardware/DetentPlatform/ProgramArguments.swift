import CPlatform

/// The arguments with which this program was started.
///
/// `CommandLine.arguments` reads them from /proc, and has none where /proc is missing.
public enum ProgramArguments {
    /// All arguments; the first one is the name of the program. Bytes that are not UTF-8 are
    /// replaced.
    public static let all: [String] = {
        var count: Int32 = 0
        guard let words = detent_arguments(&count) else { return [] }
        return (0..<Int(count)).compactMap { place in words[place].map { String(cString: $0) } }
    }()
}

internal import CBounce
public import DetentPanel

/// The profiles of simulator/bounce/, built into the program.
public struct BounceCatalogue: Sendable {
    /// The names, sorted.
    public let names: [String]
    private let sources: [String: SourceText]

    /// The profiles that this program was built with.
    public static let builtIn = BounceCatalogue()

    private init() {
        var size = 0
        let start = detent_bounce_profiles(&size)
        let all = UnsafeRawBufferPointer(start: start, count: size)
        var sources: [String: SourceText] = [:]
        for bytes in all.split(separator: 0) {
            // The first line is `id: NAME`.
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            let name = String(decoding: line.dropFirst(4), as: UTF8.self)
            sources[name] = SourceText(
                file: "simulator/bounce/\(name).yaml", bytes: Array(bytes))
        }
        self.sources = sources
        names = sources.keys.sorted()
    }

    /// The profile with a name; nil if there is none, or if it has problems.
    public func profile(named name: String) -> (profile: BounceProfile?, problems: [Problem]) {
        guard let source = sources[name] else { return (nil, []) }
        let log = ProblemLog(source)
        let node = YAMLReader.read(source, log: log)
        let profile = node.flatMap { BounceReader.profile($0, log) }
        return (log.hasErrors ? nil : profile, log.problems)
    }

    /// The typical profile of each kind of part, when new.
    public var typical: BounceChoice {
        func of(_ name: String) -> BounceProfile { profile(named: name).profile ?? .none }
        return .perPart(
            button: of("tactile"), lever: of("toggle-lever"), selector: of("rotary-wafer-bbm"),
            encoder: of("mechanical-encoder"))
    }
}

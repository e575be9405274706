import Glibc
import TestSupport

/// Which seeds are run, and what has to be known to run one again.
enum SimulationSeeds {
    /// `DETENT_SEEDS=1-1000` or `DETENT_SEEDS=17`. Without it, a short run has two, and a long run
    /// twenty.
    static let all: [UInt64] = {
        let text = getenv("DETENT_SEEDS").map { String(cString: $0) } ?? ""
        let ends = text.split(separator: "-").compactMap { UInt64($0) }
        guard let first = ends.first, let last = ends.last, first <= last else {
            return Array(1...(TestLength.isLong ? 20 : 2))
        }
        return Array(first...last)
    }()

    /// Seeds in a few groups, so that a long list does not become as many tests.
    static let groups: [[UInt64]] = {
        let size = max(1, all.count / 8)
        return stride(from: 0, to: all.count, by: size).map {
            Array(all[$0..<min($0 + size, all.count)])
        }
    }()

    /// Printed before anything runs.
    static func announce(_ seed: UInt64) { print("seed=\(seed) commit=\(commit)") }

    /// `DETENT_COMMIT`, or what the work tree's git says, or `unknown`.
    static let commit: String = {
        if let given = getenv("DETENT_COMMIT") { return String(cString: given) }
        let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        var git = folder + "/.git"
        if let link = text(git), link.hasPrefix("gitdir: ") { git = String(link.dropFirst(8)) }
        guard let head = text(git + "/HEAD") else { return "unknown" }
        guard head.hasPrefix("ref: ") else { return head }
        let name = String(head.dropFirst(5))
        let common = text(git + "/commondir").map { git + "/" + $0 } ?? git
        return text(git + "/" + name) ?? text(common + "/" + name) ?? "unknown"
    }()

    /// The first line of a small file; nil where there is none.
    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}

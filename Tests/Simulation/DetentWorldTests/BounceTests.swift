import DetentPanel
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentWorld

/// The profiles are what their files say: made and broken differently, with tails, and never
/// uniform.
struct BounceTests {
    static let bouncing = BounceCatalogue.builtIn.names.filter { $0 != "none" }

    @Test("every file of simulator/bounce is built in, and reads without a problem")
    func catalogueIsComplete() throws {
        let folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let directory = try #require(opendir("/\(folder)/simulator/bounce"))
        defer { closedir(directory) }
        var files: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".yaml") { files.append(String(name.dropLast(5))) }
        }
        expectEqual(files.sorted(), BounceCatalogue.builtIn.names)
        for name in files {
            let (profile, problems) = BounceCatalogue.builtIn.profile(named: name)
            #expect(problems.isEmpty, "\(problems.map(ProblemRenderer.text))")
            #expect(profile != nil)
        }
    }

    @Test("make and break differ, tails are heavy, some changes are clean", arguments: bouncing)
    func statistics(name: String) throws {
        let profile = try #require(BounceCatalogue.builtIn.profile(named: name).profile)
        var random = SplitMix64(seed: 42)  // the seed of this test, always the same
        let rounds = 4_000
        var lengths: [Bool: [UInt64]] = [true: [], false: []]
        var clean: [Bool: Int] = [true: 0, false: 0]
        var widths: [UInt64] = []
        var disorders = 0
        for round in 0..<rounds * 2 {
            let isClosing = round % 2 == 0
            let edges = profile.edges(closing: isClosing, &random).map(\.nanoseconds)
            if edges.count % 2 != 0 || edges != edges.sorted() { disorders += 1 }
            guard let last = edges.last else {
                clean[isClosing, default: 0] += 1
                continue
            }
            if last > profile.longest.nanoseconds { disorders += 1 }
            lengths[isClosing, default: []].append(last)
            for (one, next) in zip(edges, edges.dropFirst()) { widths.append(next - one) }
        }
        expectEqual(disorders, 0)
        let closing = try #require(lengths[true]).sorted()
        let opening = try #require(lengths[false]).sorted()
        // Median: the drawn length, less the last pulse that did not fit.
        let median = closing[closing.count / 2]
        #expect(median > profile.closes.nanoseconds / 2)
        #expect(median < profile.closes.nanoseconds * 3 / 2)
        #expect(median > opening[opening.count / 2])
        #expect(closing[closing.count - 1] > median * 2, "no tail")
        let share = Double(try #require(clean[true])) / Double(rounds) * 100
        #expect(share >= Double(profile.cleanCloses) - 3)
        #expect(share <= Double(profile.cleanCloses) + 12)
        // On a logarithmic scale: the largest pulses are far from the smallest, the middle is low.
        widths.sort()
        #expect(widths[widths.count * 95 / 100] > 3 * widths[widths.count / 20])
        #expect(widths[widths.count / 2] < widths[widths.count - 1] / 3)
    }

    @Test("`none` gives one edge a change")
    func noneIsClean() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<100 { #expect(BounceProfile.none.edges(closing: true, &random).isEmpty) }
    }

    @Test("the generator is SplitMix64: its first numbers for seed 0 are the published ones")
    func generator() {
        var random = SplitMix64(seed: 0)
        expectEqual(random.next(), 0xE220_A839_7B1D_CDAF)
        expectEqual(random.next(), 0x6E78_9E6A_A1B9_65F4)
    }

    @Test("a bounce without a length is none, and one that only opens has one")
    func lengths() {
        var random = SplitMix64(seed: 4)
        let opening = BounceProfile(closes: .zero, opens: .milliseconds(1))
        expectEqual(opening.longest, .milliseconds(4))
        let none = BounceProfile(closes: .milliseconds(1), longest: .zero)
        var edges = 0
        for _ in 0..<200 {
            #expect(opening.edges(closing: true, &random).isEmpty)
            edges += opening.edges(closing: false, &random).count
            #expect(none.edges(closing: true, &random).isEmpty)
        }
        #expect(edges > 200)
    }

    @Test("a profile in a file tells its problems at their places")
    func profileProblems() {
        let source = SourceText(file: "p.yaml", text: "closes: 3\nopnes: 1ms\n")
        let log = ProblemLog(source)
        let node = YAMLReader.read(source, log: log)
        #expect(node.flatMap { BounceReader.profile($0, log) } == nil)
        expectEqual(log.problems.map(\.place.line), [2])
        expectEqual(log.problems.first?.help.contains("did you mean `opens`?"), true)
    }

    private static let times = "[1us, 2us, 3us, 5us, 9us, 20us, 1ms]"
    private static let list = "[{share: 100, lengths: \(times), pulses: [1, 2], widths: \(times)}]"

    @Test(
        "a measured profile tells its problems at their places",
        arguments: [
            ("closing: \(list)\nopening: 3\n", 2, "must be a list"),
            ("closing: \(list)\n", 1, "has `closing` and `opening`"),
            ("closing: \(list)\nopening: []\ncloses: 3ms\n", 3, "with a measurement"),
            ("closing: []\nopening: \(list.replacing("100", with: "99"))\n", 2, "add up to 99"),
            ("closing: []\nopening: \(list.replacing("2us", with: "4us"))\n", 2, "is less than"),
            ("closing: []\nopening: \(list.replacing(", 1ms", with: ""))\n", 2, "7 times"),
            ("closing: []\nopening: \(list.replacing("[1, 2]", with: "[]"))\n", 2, "1 to 100"),
            ("closing: []\nopening: \(list.replacing("[1, 2]", with: "[0]"))\n", 2, "pulses"),
            ("closing: []\nopening: \(list.replacing("share: 100, ", with: ""))\n", 2, "`share`"),
        ] as [(String, Int, String)])
    func measuredProblems(text: String, line: Int, cause: String) {
        let source = SourceText(file: "p.yaml", text: text)
        let log = ProblemLog(source)
        let node = YAMLReader.read(source, log: log)
        #expect(node.flatMap { BounceReader.profile($0, log) } == nil || log.hasErrors, "\(text)")
        expectEqual(log.problems.map(\.place.line), [line], "\(text)")
        expectEqual(log.problems.first?.text.contains(cause), true, "\(log.problems)")
    }

    @Test("a measured profile plays its classes: no longer, no other pulses, at its level")
    func measuredPlays() throws {
        let source = SourceText(
            file: "p.yaml", text: "clean-closes: 50\nclosing: \(Self.list)\nopening: []\n")
        let log = ProblemLog(source)
        let node = try #require(YAMLReader.read(source, log: log))
        let profile = try #require(BounceReader.profile(node, log))
        #expect(profile.closes == .microseconds(5) && profile.opens == .zero)
        #expect(profile.longest == .milliseconds(1) && profile.longestPulse == .milliseconds(1))
        var (first, second) = (SplitMix64(seed: 3), SplitMix64(seed: 3))
        var clean = 0
        for _ in 0..<1_000 {
            #expect(profile.edges(closing: false, &first).isEmpty)
            let edges = profile.edges(closing: true, &first)
            expectEqual(edges, profile.edges(closing: true, &second))
            if edges.isEmpty { clean += 1 }
            #expect([0, 2, 4].contains(edges.count) && edges == edges.sorted())
            #expect(edges.last ?? .zero <= .milliseconds(1))
        }
        #expect((430...570).contains(clean))
    }
}

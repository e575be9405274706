import DetentPanel
import DetentTypes
import TestSupport
import Testing

@Suite struct YAMLTests {
    private func read(_ text: String) -> (node: YAMLNode?, problems: [Problem]) {
        let source = SourceText(file: "t.yaml", text: text)
        let log = ProblemLog(source)
        return (YAMLReader.read(source, log: log), log.problems)
    }

    @Test func nodesKnowTheirPlaces() throws {
        let root = try #require(read("a: bc\nlist:\n  - 'x y'\n  - {k: v}\n").node)
        expectEqual(root.entries?.map(\.name), ["a", "list"])
        expectEqual(root["a"]?.place, SourcePlace(line: 1, column: 4, length: 2))
        expectEqual(root.key("list")?.place, SourcePlace(line: 2, column: 1, length: 4))
        let items = try #require(root["list"]?.items)
        expectEqual(items[0].place, SourcePlace(line: 3, column: 5, length: 5))
        expectEqual(items[0].content, .scalar("x y", isPlain: false))
        expectEqual(items[1].place, SourcePlace(line: 4, column: 5, length: 6))
        expectEqual(items[1]["k"]?.place, SourcePlace(line: 4, column: 9, length: 1))
    }

    @Test func columnsCountCharacters() throws {
        let root = try #require(read("{ä: öü, k: v}").node)
        expectEqual(root["k"]?.place.column, 12)
        expectEqual(root["ä"]?.place, SourcePlace(line: 1, column: 5, length: 2))
    }

    @Test(arguments: ["on", "off", "yes", "no", "y", "True", "1"])
    func wordsAreNoBooleans(_ word: String) throws {
        let source = SourceText(file: "t.yaml", text: "k: \(word)")
        let log = ProblemLog(source)
        let node = try #require(YAMLReader.read(source, log: log)?["k"])
        expectEqual(node.text, word)
        #expect(node.boolean(log, "k") == nil)
        expectEqual(log.problems.map(\.rule), [.wrongType])
    }

    @Test func nothingIsNotText() throws {
        let root = try #require(read("a:\nb: ~\nc: null\nd: ''\ne: \"null\"").node)
        expectEqual(root.entries?.map(\.value.isNull), [true, true, true, false, false])
        expectEqual(root["d"]?.text, "")
    }

    @Test(arguments: [
        ("150us", 150_000), ("20ms", 20_000_000), ("1.5ms", 1_500_000), ("2s", 2_000_000_000),
        ("10min", 600_000_000_000), ("2h", 7_200_000_000_000), ("0ms", 0), ("0.5us", 500),
        ("3ns", 3),
    ])
    func durationsAreRead(_ text: String, _ nanoseconds: UInt64) throws {
        expectEqual(try DurationText.parse(text).nanoseconds, nanoseconds)
    }

    @Test(arguments: [
        ("20", DurationText.Failure.noUnit), ("0", .noUnit), ("20m", .unknownUnit("m")),
        ("20 ms", .unknownUnit(" ms")), ("ms", .malformed), ("", .malformed),
        ("1.2.3s", .malformed),
        (".5s", .malformed), ("5.s", .malformed), ("-1s", .negative), ("-0s", .negative),
        ("0.5ns", .tooFine), ("99999999999h", .tooLong),
        ("999999999999999999999s", .malformed), ("1e3s", .unknownUnit("e3s")),
        ("20MS", .unknownUnit("MS")), ("１s", .malformed),
    ])
    func otherTextsAreNoDurations(_ text: String, _ failure: DurationText.Failure) {
        #expect(throws: failure) { try DurationText.parse(text) }
    }

    @Test(arguments: [
        (TimeSpan.milliseconds(20), "20ms"), (.seconds(90), "90s"), (.seconds(120), "2min"),
        (.zero, "0ms"), (.nanoseconds(1_500), "1500ns"),
    ])
    func durationsAreWritten(_ span: TimeSpan, _ text: String) {
        expectEqual(DurationText.text(span), text)
    }

    @Test(arguments: [
        ("12", 12, 0), ("-3", -3, 0), ("0.25", 25, 2), ("-0.05", -5, 2), ("10.0", 100, 1),
    ])
    func decimalsAreExact(_ text: String, _ digits: Int64, _ decimals: Int) throws {
        let number = try #require(DecimalNumber(text))
        expectEqual(number.digits, digits)
        expectEqual(number.decimals, decimals)
        expectEqual(DecimalNumber.text(units: digits, decimals: decimals), text)
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".1", "1e5", "+1", "1,5", "0x10", "nan", "1234567890123456789",
    ])
    func otherTextsAreNoDecimals(_ text: String) {
        #expect(DecimalNumber(text) == nil)
    }

    @Test(arguments: [
        ("inptu", "input"), ("lable", "label"), ("kin", "kind"), ("debounc", "debounce"),
        ("Output", "output"),
    ])
    func slipsAreUnderstood(_ word: String, _ meant: String) {
        let known = ["input", "label", "kind", "debounce", "output"]
        expectEqual(nearestWord(to: word, among: known), meant)
    }

    @Test func otherWordsAreNotGuessed() {
        #expect(nearestWord(to: "zebra", among: ["input", "label"]) == nil)
        #expect(nearestWord(to: "x", among: ["a", "b"]) == nil)
        #expect(nearestWord(to: String(repeating: "a", count: 1_000), among: ["a"]) == nil)
        #expect(nearestWord(to: "", among: ["a"]) == nil)
    }
}

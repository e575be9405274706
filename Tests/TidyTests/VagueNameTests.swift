import TestSupport
import Testing

/// Names that say little: how many are left in Sources. The numbers only fall.
@Suite struct VagueNameTests {
    /// A name, how often it may be in the code, and what to write.
    struct Vague: Sendable, CustomTestStringConvertible {
        let text: String
        let most: Int
        let instead: String

        var testDescription: String { text }
    }

    static let names = [
        Vague(
            text: "func take(", most: 11,
            instead: "`receive`, `record`, `pop`, `claim`, `parse`, `consume`"),
        Vague(
            text: "func follow(", most: 0,
            instead: "`replacePlan`, `setScript`, `watchFile`, `mirror`"),
        Vague(
            text: "func tell(", most: 0,
            instead: "`report`, `publish`, `send`, `warn`"),
        Vague(
            text: "func place(", most: 0,
            instead: "`index`, `offset`, `location`, `folder`, `slot`, `address`, `position`"),
        Vague(text: "let it ", most: 1, instead: "the noun"),
        Vague(text: "for it in ", most: 0, instead: "the noun"),
        Vague(text: "usual", most: 0, instead: "`default`"),
        Vague(text: "standard:", most: 0, instead: "`default`"),
        Vague(text: "wish", most: 0, instead: "`request`, `response`"),
        Vague(text: "errand", most: 0, instead: "`request`"),
        Vague(text: "Gateway", most: 13, instead: "`Child`, unless it serves the page"),
        Vague(
            text: "Broker", most: 43,
            instead: "`MQTT` for the client; `BrokerPlan` is what the file says of a broker"),
    ]

    @Test(arguments: names) func onlyFewerAreLeft(vague: Vague) {
        let files = SourceTree.swift.filter { $0.path.hasPrefix("Sources/") }
        #expect(files.count > 700)
        let found = files.filter { $0.contains(vague.text) }
            .map { file in file.code.reduce(0) { $0 + Self.count(of: vague.text, in: $1) } }
            .reduce(0, +)
        #expect(
            found <= vague.most,
            "`\(vague.text)` is there \(found) times; say what it is or does: \(vague.instead)")
    }

    /// How often a text begins in a line of code, at the beginning of a name.
    static func count(of text: String, in line: String) -> Int {
        var count = 0
        var rest = line[...]
        var before: Character = " "
        while let place = rest.firstRange(of: text) {
            if place.lowerBound > rest.startIndex {
                before = rest[rest.index(before: place.lowerBound)]
            }
            if !before.isLetter { count += 1 }
            before = "a"
            rest = rest[place.upperBound...]
        }
        return count
    }

    @Test(arguments: [
        ("func take(_ a: Int) {", "func take(", 1), ("let wished = wish(wish)", "wish", 3),
        ("Brokers, aBroker: Broker", "Broker", 2), ("nothing", "wish", 0),
    ])
    func namesAreCounted(line: String, text: String, count: Int) {
        expectEqual(Self.count(of: text, in: line), count)
    }
}

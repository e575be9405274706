import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Laws of the border between a panel and all that is named, saved or said outside it, with names
/// and words that a seed chooses.
@Suite struct BorderLawTests {
    /// What is easily lost, joined or taken for something else.
    private static let pieces = [
        "a", "A", "b", "+", "+48V", "-", "_", "/", ".", ",", ":", ": ", "#", "%", "%41", " ", "é",
        "ü", "ß", "厨", "房", "🚂", "none", "on", "off", "unknown", "null", "1", "1.0", "01", "1e0",
        "\\\"", "'", "[", "]", "{", "}", "\\\\", "&", "=", "?", "~",
    ]

    private static func word(_ random: inout SplitMix64) -> String {
        (0...random.below(3)).map { _ in pieces[Int(random.below(UInt64(pieces.count)))] }.joined()
    }

    private static func words(_ count: Int, _ random: inout SplitMix64) -> [String] {
        (0..<count).map { _ in word(&random) }
    }

    private static func quoted(_ words: [String]) -> String {
        words.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// Only letter case, blanks and hyphens make no difference; a panel whose file was accepted has
    /// such a name. Some panels are called as the topic or the connection of another one.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func twoNamesOfPanelsHaveNoTopicClientOrFileInCommon(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var topics: [String: String] = [:]
        var clients: [String: String] = [:]
        var files: [String: String] = [:]
        var made: [String] = []
        for _ in 0..<250 {
            let isMade = !made.isEmpty && random.chance(percent: 40)
            let name =
                isMade ? made[Int(random.below(UInt64(made.count)))] : Self.word(&random)
            let keys =
                "panel: \"\(name)\", board: none, controls: {c: {\(Base.lever)}}, "
                + "mqtt: {url: \"mqtt://h\"}"
            guard let plan = KeyCase.read(keys).plan, let broker = plan.broker else { continue }
            let plain = plan.name.lowercased().split { $0 == " " || $0 == "-" }
                .joined(separator: "-")
            expectEqual(topics.updateValue(plain, forKey: broker.topic) ?? plain, plain)
            expectEqual(clients.updateValue(plain, forKey: broker.clientName) ?? plain, plain)
            let file = SavedFile.name(of: plan)
            expectEqual(files.updateValue(plan.name, forKey: file) ?? plan.name, plan.name)
            made += [String(broker.topic.dropFirst("detent/".count)), broker.clientName]
        }
        #expect(topics.count > 40, "most names are refused")
    }

    /// Two topics have no name of a connection or of a device of Home Assistant in common, also
    /// where one is called as the other.
    @Test(arguments: 1...4 as ClosedRange<UInt64>, ["-", "_"] as [Character])
    func twoTopicsHaveNoNameInCommon(seed: UInt64, slash: Character) {
        var random = SplitMix64(seed: seed, stream: 3)
        let pieces = ["a", "b", "x", "-", "_", "/", "detent", "detent/", ".", "é", "press", "1"]
        var names: [String: String] = [:]
        var made: [String] = []
        for _ in 0..<2_000 {
            var topic = (0...random.below(4)).map { _ in
                pieces[Int(random.below(UInt64(pieces.count)))]
            }.joined()
            if !made.isEmpty, random.chance(percent: 40) {
                topic = made[Int(random.below(UInt64(made.count)))]
                if random.chance(percent: 50) { topic = "detent/" + topic }
            }
            guard BrokerPlan.isTopic(topic) else { continue }
            let name = BrokerPlan(host: "h", port: 1, topic: topic).name(slash: slash)
            expectEqual(names.updateValue(topic, forKey: name) ?? topic, topic, "`\(name)`")
            made += [name, String(name.dropFirst("detent".count + 1))]
        }
        #expect(names.count > 500)
    }

    /// Every value that can be set can be saved, and comes back: of one option and of several.
    @Test(arguments: 1...4 as ClosedRange<UInt64>, ["", "selection: multiple, "])
    func whatIsSetIsSavedAndComesBack(seed: UInt64, selection: String) throws {
        var random = SplitMix64(seed: seed, stream: 1)
        var accepted = 0
        for _ in 0..<150 {
            let options = Self.quoted(Self.words(3, &random))
            let keys =
                "panel: P, board: none, controls: {c: {kind: segmented, label: C, \(selection)"
                + "startup: saved, buttons: [A, B, D], options: [\(options)]}}"
            guard let plan = KeyCase.read(keys).plan else { continue }
            accepted += 1
            for value in Self.values(of: plan.controls[0]) {
                let reading = try SavedFile.read(SavedFile.bytes([value], of: plan), of: plan)
                expectEqual(reading.values.map(\.value), [value], "\(options)")
                expectEqual(reading.notes, [], "\(options)")
            }
        }
        #expect(accepted > 20, "most options are refused")
    }

    /// What an action says of a value means this value when a device says it; and whatever else it
    /// says is a value that the control has, or none.
    @Test(arguments: 1...4 as ClosedRange<UInt64>, ["", "selection: {multiple: {}}, "])
    func whatADeviceSaysIsAValueOrARefusal(seed: UInt64, selection: String) throws {
        var random = SplitMix64(seed: seed, stream: 2)
        var accepted = 0
        for _ in 0..<150 {
            let words = Self.words(3, &random)
            let map = zip(["x", "y", "z"], words).map { "\($0): \"\($1)\"" }
                .joined(separator: ", ")
            let keys =
                "panel: P, board: none, controls: {c: {kind: segmented, label: C, \(selection)"
                + "buttons: [A, B, D], options: [x, y, z], words: {\(map)}, "
                + "action: {run: [act, \"{value}\"], timeout: 1s}}}"
            guard let plan = KeyCase.read(keys).plan else { continue }
            accepted += 1
            let control = plan.controls[0]
            let values = Self.values(of: control)
            for value in values {
                let said = control.deviceWord(of: value)
                expectEqual(control.value(ofDevice: said), value, "`\(said)` of \(map)")
            }
            for other in Self.words(20, &random) {
                guard let value = control.value(ofDevice: other) else { continue }
                #expect(values.contains(value), "`\(other)` of \(map) is \(value)")
            }
        }
        #expect(accepted > 20, "most words are refused")
    }

    // MARK: Reloads and refusals

    /// A control with a value, of any kind, that keeps its value over a restart.
    private static func control(_ random: inout SplitMix64) -> String {
        let options = ["x", "y", "z", "1", "2.0", "on"].filter { _ in random.chance(percent: 70) }
        let most = 2 + random.below(40)
        let step = ["1", "2", "0.5", "0.25"][Int(random.below(4))]
        let list = options.count > 1 ? options : ["x", "y"]
        let buttons = list.indices.map { "B\($0)" }.joined(separator: ", ")
        switch random.below(5) {
        case 0: return "kind: switch, input: A, latch: toggle"
        case 1:

            return "kind: dial, encoder: {a: A, b: B}, "
                + "range: {min: 0, max: \(most), step: \(step)}"
        case 2: return "kind: dial, encoder: {a: A, b: B}, range: {min: -\(most), max: 3}"
        case 3: return "kind: segmented, buttons: [\(buttons)], options: [\(quoted(list))]"
        case _:
            return "kind: segmented, selection: multiple, buttons: [\(buttons)], "
                + "options: [\(quoted(list))]"
        }
    }

    /// A reload that keeps a control keeps its value, or says which one it starts with.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func aReloadKeepsAValueOrSaysSo(seed: UInt64) throws {
        var random = SplitMix64(seed: seed, stream: 4)
        var kept = 0
        var told = 0
        for _ in 0..<150 {
            let plans = try (0..<2).map { _ in
                let control = Self.control(&random)
                let keys =
                    "panel: P, board: none, controls: {c: {\(control), label: C, startup: saved}}"
                return try #require(KeyCase.read(keys).plan, "\(keys)")
            }
            let (former, next) = (plans[0].controls[0], plans[1].controls[0])
            let difference = PanelDifference(from: plans[0], to: plans[1])
            for value in Self.values(of: former) {
                let reading = difference.savedValues(of: plans[0], in: plans[1]) { _ in value }
                if difference.controls[0].continuity.contains(.value) {
                    expectEqual(reading.values.count + reading.notes.count, 0)
                    #expect(next.settings.nature.domain.contains(value))
                    continue
                }
                let was = former.valueNames.name(of: value)
                let now = reading.values.first.map { next.valueNames.name(of: $0.value) }
                let isSame = now.map { DeviceWords.areEqual($0, was) } ?? false
                kept += isSame ? 1 : 0
                told += reading.notes.count
                #expect(
                    isSame == reading.notes.isEmpty,
                    "`\(was)` became `\(now ?? "nothing")`: \(reading.notes)")
                #expect(reading.notes.allSatisfy { $0.contains("`c`") })
            }
        }
        #expect(kept > 100 && told > 100, "\(kept) kept, \(told) told")
    }

    /// Every refusal of a file has a place in it, a reason and a way out, whatever is wrong.
    @Test(arguments: TestLength.seeds(0..<64))
    func everyRefusalHasAReason(seed: UInt64) {
        var random = SplitMix64(seed: seed, stream: 5)
        let controls = PanelDifferenceTests.controls.joined(separator: ", ")
        let whole = "{panel: P, board: none, controls: {\(controls)}}"
        let signs = Set("{}[],: ")
        var words: [String] = []
        for letter in whole {
            let joins = words.last.map {
                !signs.contains(letter) && !signs.contains($0.last ?? " ")
            }
            if joins == true {
                words[words.count - 1].append(letter)
            } else {
                words.append("\(letter)")
            }
        }
        var refused = 0
        for _ in 0..<12 {
            var changed = words
            for _ in 0...random.below(2) {
                let place = Int(random.below(UInt64(changed.count)))
                changed[place] =
                    random.chance(percent: 50)
                    ? words[Int(random.below(UInt64(words.count)))]
                    : Self.pieces[Int(random.below(UInt64(Self.pieces.count)))]
            }
            let text = changed.joined()
            let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
            let errors = reading.problems.filter { $0.severity == .error }
            #expect((reading.plan == nil) == !errors.isEmpty, "\(text)")
            refused += errors.isEmpty ? 0 : 1
            for problem in reading.problems {
                #expect(!problem.text.isEmpty && !problem.help.isEmpty, "\(problem): \(text)")
                // Behind the end of the file is line 2.
                let place = problem.place
                let isInside = place.line == 1 && place.column <= text.utf8.count + 1
                #expect(
                    isInside || place.line == 2 && place.column == 1,
                    "\(place.line):\(place.column) \(problem.text): \(text)")
            }
        }
        #expect(refused > 3)
    }

    private static func values(of control: ControlPlan) -> [Value] {
        (-42..<200).map { Value($0) }.filter { control.settings.nature.domain.contains($0) }
    }
}

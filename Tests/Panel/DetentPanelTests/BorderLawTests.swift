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
    /// such a name.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func twoNamesOfPanelsHaveNoTopicClientOrFileInCommon(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var topics: [String: String] = [:]
        var clients: [String: String] = [:]
        var files: [String: String] = [:]
        for _ in 0..<150 {
            let keys =
                "panel: \"\(Self.word(&random))\", board: none, controls: {c: {\(Base.lever)}}, "
                + "mqtt: {url: \"mqtt://h\"}"
            guard let plan = KeyCase.read(keys).plan, let broker = plan.broker else { continue }
            let plain = plan.name.lowercased().split { $0 == " " || $0 == "-" }
                .joined(separator: "-")
            expectEqual(topics.updateValue(plain, forKey: broker.topic) ?? plain, plain)
            expectEqual(clients.updateValue(plain, forKey: broker.clientName) ?? plain, plain)
            let file = SavedFile.name(of: plan)
            expectEqual(files.updateValue(plan.name, forKey: file) ?? plan.name, plan.name)
        }
        #expect(topics.count > 20, "most names are refused")
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

    private static func values(of control: ControlPlan) -> [Value] {
        (0..<8).map { Value($0) }.filter { control.settings.nature.domain.contains($0) }
    }
}

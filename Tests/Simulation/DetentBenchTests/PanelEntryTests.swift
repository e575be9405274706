import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentBench

/// Entries of identified parts, in new files and in files that exist.
@Suite struct PanelEntryTests {
    private static let guesses: [PartGuess] = [
        .button(0), .lever(0), .changeover(on: 0, off: 1), .threeWay(down: 0, up: 1),
        .encoder(a: 0, b: 1, transitions: 4, rest: 0),
        .encoder(a: 1, b: 0, transitions: 2, rest: 0),
        .encoder(a: 0, b: 1, transitions: 4, rest: 3),
        .selector([0, 1, 2], hasNone: false), .selector([0, 1, 2], hasNone: true),
        .coded([0, 1, 2], isGray: true), .coded([0, 1, 2], isGray: false), .buttons([0, 1, 2]),
    ]
    private static let names = [
        ["GPIO17", "GPIO27", "GPIO22"], ["pin 11", "pin 13", "pin 15"],
        [
            "{chip: pinctrl-rp1, offset: 17}", "{chip: pinctrl-rp1, offset: 27}",
            "{chip: pinctrl-rp1, offset: 22}",
        ],
    ]

    private func problems(_ text: String) -> [Problem] {
        PanelReader.read(SourceText(file: "panel.yaml", text: text)).problems
    }

    @Test(arguments: guesses, [true, false]) func entriesAreAccepted(
        guess: PartGuess, isActiveLow: Bool
    ) throws {
        let result = PartClassifier.Result(
            guess: guess, isActiveLow: isActiveLow, isLevelProved: true)
        for lines in Self.names {
            let entry = try #require(PanelEntry.text(result, lines: lines, taken: []))
            let file = PanelEntry.file(board: "raspberry-pi-5", entries: [entry.text])
            #expect(problems(file).isEmpty, "\(file)\n\(problems(file))")
            let plan = try #require(
                PanelReader.read(SourceText(file: "panel.yaml", text: file)).plan)
            let contacts = plan.lines.filter { $0.isActiveLow == isActiveLow }
            expectEqual(contacts.count, plan.lines.count)
        }
    }

    @Test func aFileKeepsWhatItHas() throws {
        let file = """
            panel: Lab
            board: raspberry-pi-5
            controls:
              # The first one.
              button-1:
                kind: button
                label: Bell
                input: GPIO5

            layout: {width: 200mm}

            """
        let source = SourceText(file: "panel.yaml", text: file)
        let result = PartClassifier.Result(
            guess: .button(0), isActiveLow: true, isLevelProved: true)
        let entry = try #require(
            PanelEntry.text(result, lines: ["GPIO17"], taken: PanelEntry.ids(of: source)))
        expectEqual(entry.id, "button-2")
        let new = try #require(PanelEntry.adding([entry.text], to: file))
        #expect(new.contains("  # The first one.\n"))
        #expect(new.hasSuffix("\nlayout: {width: 200mm}\n"))
        #expect(!problems(new).hasErrors, "\(new)\n\(problems(new))")
        let ids = PanelEntry.ids(of: SourceText(file: "panel.yaml", text: new))
        expectEqual(ids, ["button-1", "button-2"])
    }

    /// A part goes into the group that is named, or into `controls` that begin with it.
    @Test func aGroupGetsItsOwn() throws {
        let result = PartClassifier.Result(
            guess: .button(0), isActiveLow: true, isLevelProved: true)
        var file = PanelEntry.file(
            board: "raspberry-pi-5",
            entries: [try #require(PanelEntry.text(result, lines: ["GPIO5"], taken: [])).text],
            group: "Fuel \"A\"")
        for (line, group) in [("GPIO6", "Fuel \"A\""), ("GPIO13", nil), ("GPIO16", "Fuel \"A\"")] {
            let source = SourceText(file: "panel.yaml", text: file)
            let entry = try #require(
                PanelEntry.text(result, lines: [line], taken: PanelEntry.ids(of: source)))
            file = try #require(PanelEntry.adding([entry.text], to: file, group: group))
        }
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: file))
        let plan = try #require(reading.plan, "\(file)\n\(reading.problems)")
        expectEqual(
            plan.controls.map { "\($0.id) \($0.layout.group ?? "-")" },
            [
                "button-1 Fuel \"A\"", "button-2 Fuel \"A\"", "button-4 Fuel \"A\"",
                "button-3 -",
            ], "\(file)")
        #expect(PanelEntry.adding(["  a: {}\n"], to: file, group: "Other") == nil)
    }

    @Test func aFileWithoutIndentedControlsIsLeftAlone() {
        #expect(PanelEntry.adding(["  a: {}\n"], to: "panel: A\ncontrols: {}\n") == nil)
        #expect(PanelEntry.adding(["  a: {}\n"], to: "panel: A\n") == nil)
    }
}

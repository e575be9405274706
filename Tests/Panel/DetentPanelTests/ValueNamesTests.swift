import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Words for values, in files, in events and for people.
@Suite struct ValueNamesTests {
    private static let names = ["a", "b+c", "d"]

    @Test(arguments: [
        ("none", 0), ("a", 1), ("b+c", 2), ("d", 4), ("a+d", 5), ("d+a", 5), ("a+a", 1),
    ])
    func severalOptionsAreOneWord(word: String, bits: Int32) {
        expectEqual(ValueNames.several(Self.names).value(named: word), Value(bits))
    }

    /// Names with `+` and their joins are told apart, also in a list.
    @Test(arguments: [
        ("+48V", 1), ("+48V+Pad", 3), ("Pad+HPF", 6), ("+48V+HPF", 5), ("L", 8), ("L+R", 32),
        ("L+R+L", 40), ("[\"L\", \"R\"]", 24), ("[\"L+R\"]", 32), ("[]", 0),
    ])
    func namesMayHaveSigns(word: String, bits: Int32) {
        let names = ValueNames.several(["+48V", "Pad", "HPF", "L", "R", "L+R"])
        expectEqual(names.value(named: word), Value(bits))
    }

    /// A remote text costs no more than its length.
    @Test func aTextThatNearlyFitsEnds() {
        let names = ValueNames.several(["a", "a+a", "a+a+a"])
        expectEqual(names.value(named: "a+a+a+a"), Value(0b101))
        expectEqual(names.value(named: "a+a+a+a+a+b"), nil)
        for count in [100, 65_536] {
            let text = String(repeating: "a+", count: count)
            expectEqual(names.value(named: text + "b"), nil)
            expectEqual(names.value(named: text + "a"), nil, "longer than all names together")
        }
    }

    /// What is saved is read again, whatever the options are called.
    @Test func savedWordsAreReadAgain() throws {
        let plan = try #require(
            KeyCase.read(
                "panel: P, board: none, controls: {c: {kind: segmented, label: C, selection: "
                    + "multiple, buttons: [A, B, D], options: [\"+48V\", L, \"+48V+L\"]}}"
            ).plan)
        for bits in 0..<8 as Range<Int32> {
            let word = try #require(plan.controls[0].savedWord(of: Value(bits)))
            expectEqual(plan.controls[0].value(named: word), Value(bits), "\(word)")
        }
    }

    @Test func otherWordsAreNoOptions() {
        let several = ValueNames.several(Self.names)
        for word in ["b", "a+b", "a+none", "", "A", "a+", "+a", "+"] {
            #expect(several.value(named: word) == nil)
        }
        expectEqual(several.name(of: Value(0)), "none")
        expectEqual(several.name(of: Value(5)), "a+d")
        expectEqual(ValueNames.several(["none", "x"]).value(named: "none"), Value(1))
    }

    /// A value has 31 bits for options.
    @Test func bitsAreBounded() {
        let names = (0..<33).map { "n\($0)" }
        let several = ValueNames.several(names)
        expectEqual(several.value(named: "n30"), Value(1 << 30))
        #expect(several.value(named: "n31") == nil)
        expectEqual(ValueNames.chosen(Value(1 << 30), of: names), ["n30"])
        expectEqual(ValueNames.chosen(Value(-1), of: names).count, 31)
    }

    @Test func numbersHaveBounds() {
        let number = ValueNames.number(decimals: 1)
        expectEqual(number.value(named: "2"), Value(20))
        expectEqual(number.value(named: "-0.5"), Value(-5))
        #expect(number.value(named: "0.25") == nil)
        expectEqual(number.value(named: "214748364.7"), Value(.max))
        #expect(number.value(named: "214748364.8") == nil)
        #expect(number.value(named: "-214748364.8") == nil, "it means unknown")
        expectEqual(number.name(of: Value(-5)), "-0.5")
        #expect(number.event(named: "1") == nil)
    }

    @Test func eventsHaveWords() {
        expectEqual(ValueNames.none.event(named: "press"), .on)
        #expect(ValueNames.none.event(named: "on") == nil)
        expectEqual(ValueNames.commands(["x", "y"]).event(named: "y"), Value(1))
        #expect(ValueNames.commands(["x", "y"]).event(named: "press") == nil)
        #expect(ValueNames.commands(["x"]).value(named: "x") == nil)
        #expect(ValueNames.onOff.event(named: "on") == nil)
        expectEqual(ValueNames.threeWay.words, ["down", "center", "up"])
        expectEqual(ValueNames.threeWay.name(of: Value(3)), "unknown")
        expectEqual(ValueNames.onOff.name(of: .mixed), "mixed")
        expectEqual(ValueNames.onOff.name(of: Value(9)), "unknown")
    }

    private func control(_ names: ValueNames, _ states: [String] = []) -> ControlPlan {
        var control = ControlPlan(
            id: "c", label: "C", kind: "switch", valueNames: names,
            settings: ControlSettings(nature: .button))
        control.layout.stateNames = states
        return control
    }

    /// What people read.
    @Test func titlesAreForPeople() {
        let several = control(.several(["A", "B"]))
        expectEqual(several.title(of: Value(0)), "None")
        expectEqual(several.title(of: Value(3)), "A, B")
        expectEqual(several.title(of: .unknown), "–")
        expectEqual(
            [0, 1, 2].map { control(.threeWay).title(of: Value($0)) }, ["Down", "Center", "Up"])
        expectEqual(control(.threeWay).title(of: Value(3)), "–")
        let door = control(.onOff, ["Shut", "Open"])
        expectEqual([Value.off, .on, .mixed].map(door.title), ["Shut", "Open", "Mixed"])
        let lever = control(.threeWay, ["Manual", "Off", "Auto"])
        expectEqual([0, 1, 2].map { lever.title(of: Value($0)) }, ["Manual", "Off", "Auto"])
        expectEqual(lever.valueNames.name(of: Value(2)), "up")
        expectEqual([Value.off, .on].map(control(.onOff).title), ["Off", "On"])
        expectEqual(control(.number(decimals: 1)).title(of: Value(15)), "1.5")
        expectEqual(control(.options(["x"])).titles, ["x"])
    }

    /// The buttons of a row have the words of the options, or numbers.
    @Test func rowsOfButtonsHaveWords() {
        func words(_ names: ValueNames, _ count: UInt16, isMenu: Bool = false) -> [String] {
            var control = control(names)
            control.settings.decoder = .buttonRow
            control.settings.contacts = PlanRange(first: 0, count: count)
            var plan = PanelPlan(name: "P", controls: [control])
            if isMenu {
                plan.controls[0].settings.relation = RelationID(0)
                var rules = RelationSettings()
                rules.navigation = NavigationSettings(
                    style: .menu(closeAfter: .zero), hardware: .buttons, count: 2)
                plan.relations.settings = [rules]
            }
            return plan.buttonWords(of: ControlID(0))
        }
        expectEqual(words(.options(["x", "y"]), 2), ["x", "y"])
        expectEqual(words(.options(["x"]), 3), ["x", "2", "3"])
        expectEqual(words(.none, 2), ["1", "2"])
        expectEqual(words(.commands(["x"]), 3, isMenu: true), ["up", "down", "select"])
        expectEqual(words(.commands(["x"]), 4, isMenu: true), ["up", "down", "select", "back"])
        expectEqual(words(.none, 0), [])
        expectEqual(PanelPlan(name: "P").buttonWords(of: ControlID(0)), [])
    }
}

import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

@Suite struct EventLineTests {
    /// Control 0 is a switch, 1 a radio group, 2 a three-way lever, 3 a dial, 4 a button, 5 a row
    /// of segments of which several are chosen, 6 a menu found by three buttons.
    static let plan: PanelPlan = {
        let control = { (id: String, names: ValueNames) in
            ControlPlan(
                id: id, label: id, kind: "switch", valueNames: names,
                settings: ControlSettings(nature: .button))
        }
        var row = control("bus", .several(["A", "B"]))
        row.settings.decoder = .buttonRow
        row.settings.contacts = PlanRange(first: 0, count: 2)
        var menu = control("menu", .commands(["Save", "Stop"]))
        menu.settings.decoder = .buttonRow
        menu.settings.contacts = PlanRange(first: 2, count: 3)
        menu.settings.relation = RelationID(0)
        var relations = RelationsPlan()
        var rules = RelationSettings()
        rules.navigation = NavigationSettings(
            style: .menu(closeAfter: .zero), hardware: .buttons, count: 2)
        relations.settings = [rules]
        return PanelPlan(
            name: "P",
            controls: [
                control("output", .onOff), control("range", .options(["2 V", "say \"hi\"\n"])),
                control("blinds", .threeWay), control("volume", .number(decimals: 2)),
                control("start", .none), row, menu,
            ], relations: relations)
    }()

    static let lines: [(UInt16, Report.Kind, String)] = [
        (4, .pressed, "\"pressed\", \"origin\": \"panel\""),
        (5, .buttonPressed(Value(1)), "\"pressed\", \"value\": \"B\", \"origin\": \"panel\""),
        (
            6, .buttonReleased(Value(2)),
            "\"released\", \"value\": \"select\", \"origin\": \"panel\""
        ),
        (6, .opened, "\"opened\""),
        (6, .focused(Value(1)), "\"focused\", \"value\": \"Stop\""),
        (6, .closed(.panel), "\"closed\""),
        (6, .closed(.web), "\"closed\", \"origin\": \"web\""),
        (
            6, .chosen(Value(0), .api),
            "\"chosen\", \"value\": \"Save\", \"origin\": \"api\""
        ),
        (5, .changed(Value(3), .panel), "\"changed\", \"value\": \"A+B\", \"origin\": \"panel\""),
        (5, .confirmed(Value(0)), "\"confirmed\", \"value\": \"none\""),
        (0, .staged(.on), "\"staged\", \"value\": \"on\""),
        (0, .staged(.unknown), "\"staged\", \"value\": \"none\""),
        (4, .refused(.guarded, .api), "\"refused\", \"reason\": \"guarded\", \"origin\": \"api\""),
        (
            4, .refused(.needsConfirmation, .web),
            "\"refused\", \"reason\": \"needs-confirmation\", \"origin\": \"web\""
        ),
        (4, .released, "\"released\", \"origin\": \"panel\""),
        (4, .clicked, "\"clicked\", \"origin\": \"panel\""),
        (4, .doubleClicked, "\"double-clicked\", \"origin\": \"panel\""),
        (4, .multiClicked(count: 3), "\"multi-clicked\", \"count\": 3, \"origin\": \"panel\""),
        (4, .held, "\"held\", \"origin\": \"panel\""),
        (4, .repeated, "\"repeated\", \"origin\": \"panel\""),
        (3, .stepped(delta: -2), "\"stepped\", \"delta\": -2, \"origin\": \"panel\""),
        (2, .moved(position: .up), "\"moved\", \"position\": \"up\", \"origin\": \"panel\""),
        (1, .moved(position: Value(0)), "\"moved\", \"position\": \"2 V\", \"origin\": \"panel\""),
        (1, .invalid, "\"invalid\""),
        (0, .changed(.on, .panel), "\"changed\", \"value\": \"on\", \"origin\": \"panel\""),
        (0, .changed(.off, .startup), "\"changed\", \"value\": \"off\", \"origin\": \"startup\""),
        (
            0, .changed(.mixed, .control),
            "\"changed\", \"value\": \"mixed\", \"origin\": \"control\""
        ),
        (
            1, .changed(Value(1), .web),
            "\"changed\", \"value\": \"say \\\"hi\\\"\\n\", \"origin\": \"web\""
        ),
        (3, .changed(Value(-5), .api), "\"changed\", \"value\": -0.05, \"origin\": \"api\""),
        (3, .confirmed(Value(1_250)), "\"confirmed\", \"value\": 12.50"),
        (3, .confirmed(.unknown), "\"confirmed\", \"value\": \"unknown\""),
        (0, .phase(.pending, .none), "\"phase\", \"phase\": \"pending\""),
        (
            0, .phase(.failed, .failed(.exit(3))),
            "\"phase\", \"phase\": \"failed\", \"reason\": \"exit 3\""
        ),
        (
            0, .phase(.failed, .timedOut),
            "\"phase\", \"phase\": \"failed\", \"reason\": \"timed out\""
        ),
        (0, .phase(.idle, .cancelled), "\"phase\", \"phase\": \"idle\", \"reason\": \"cancelled\""),
        (0, .phase(.failed, .lost), "\"phase\", \"phase\": \"failed\", \"reason\": \"lost\""),
        (0, .flag(.mismatch, isSet: true), "\"flag\", \"name\": \"mismatch\", \"set\": true"),
        (
            0, .flag(.unconfirmed, isSet: false),
            "\"flag\", \"name\": \"unconfirmed\", \"set\": false"
        ),
        (0, .refused(.busy, .mqtt), "\"refused\", \"reason\": \"busy\", \"origin\": \"mqtt\""),
        (
            0, .refused(.outOfRange, .device),
            "\"refused\", \"reason\": \"out-of-range\", \"origin\": \"device\""
        ),
        (0, .armed, "\"armed\""),
        (0, .progress(percent: 40), "\"progress\", \"percent\": 40"),
        (0, .indicator(.flashBurst), "\"indicator\", \"pattern\": \"flash-burst\""),
        (0, .output(LineID(0), .active), "\"output\", \"level\": \"active\""),
        (0, .lost(count: 7), "\"lost\", \"count\": 7"),
        (0, .fault(.line), "\"fault\", \"reason\": \"line\""),
    ]

    @Test(arguments: lines) func isOneLineOfTheContract(
        _ control: UInt16, _ kind: Report.Kind, _ rest: String
    ) {
        let report = Report(control: ControlID(control), kind: kind)
        let id = Self.plan.controls[Int(control)].id
        expectEqual(
            EventLine.text(report, plan: Self.plan, at: Instant(nanoseconds: 1_500_000)),
            "{\"at\": 1500000, \"control\": \"\(id)\", \"event\": \(rest)}")
    }

    /// Whose token it was, where the caller has one with a name.
    @Test func aCallerIsNamed() {
        var plan = Self.plan
        plan.callers = ["kitchen", nil]
        func text(_ caller: UInt8) -> String {
            let kind = Report.Kind.chosen(.on, .api.by(caller))
            return EventLine.text(Report(control: ControlID(4), kind: kind), plan: plan, at: .zero)
        }
        #expect(text(1).hasSuffix(#""origin": "api", "by": "kitchen"}"#), "\(text(1))")
        for caller in [0, 2, 3, 31] as [UInt8] {
            #expect(text(caller).hasSuffix(#""origin": "api"}"#), "\(text(caller))")
        }
        let members = EventLine.members(
            Report(control: ControlID(4), kind: .refused(.busy, .web.by(1))), plan: plan, at: .zero)
        #expect(EventText.summary(members).contains("(web, kitchen)"))
    }

    /// It has no control, and the journal names the panel in its place.
    @Test func anEventOfTheWholePanelHasNoControl() {
        var plan = Self.plan
        plan.callers = ["kitchen"]
        let report = Report.ofPanel(.lampTest(isOn: true, .web.by(1)))
        let line = #""event": "lamp-test", "value": "on", "origin": "web", "by": "kitchen"}"#
        expectEqual(EventLine.text(report, plan: plan, at: .zero), #"{"at": 0, "# + line)
        var text: [UInt8] = []
        var writer = EventLineWriter(plan: plan)
        for _ in 0..<2 { writer.write(report, at: .zero, to: &text) }
        let twice = #"{"at": 0, "# + line + "\n"
        expectEqual(String(decoding: text, as: UTF8.self), twice + twice)
        let entry = JournalEntry.text(report, plan: plan, at: .zero)
        #expect(entry.hasPrefix("MESSAGE=P: · lamp test on (web, kitchen)\n"), "\(entry)")
        #expect(!entry.contains("DETENT_CONTROL"))
    }

    @Test(
        arguments: [
            (.web.by(1), Report.noUser, #""origin": "web", "by": "kitchen""#, "(web, kitchen)"),
            (.api, Report.noUser, #""origin": "api""#, "(api)"),
            (.api, 1_000, #""user": 1000, "origin": "api""#, "(api, user 1000)"),
        ] as [(Origin, UInt32, String, String)])
    func aReloadSaysWhoAsked(origin: Origin, user: UInt32, members: String, text: String) {
        var plan = Self.plan
        plan.callers = ["kitchen"]
        let report = Report.ofPanel(.reload(user: user, origin))
        expectEqual(
            EventLine.text(report, plan: plan, at: .zero),
            #"{"at": 0, "event": "reload", \#(members)}"#)
        expectEqual(
            EventText.summary(EventLine.members(report, plan: plan, at: .zero)),
            "· reload asked \(text)")
    }

    @Test func strangersDoNotTrap() {
        let report = Report(control: ControlID(99), kind: .changed(Value(7), .panel))
        expectEqual(
            EventLine.text(report, plan: Self.plan, at: .never),
            "{\"at\": 18446744073709551615, \"control\": \"#99\", \"event\": \"changed\", "
                + "\"value\": \"unknown\", \"origin\": \"panel\"}")
    }

    /// Texts that are kept, and those that replace them, are those of each event alone.
    @Test func aWriterOfManyEventsWritesTheSame() {
        var writer = EventLineWriter(plan: Self.plan)
        var text: [UInt8] = []
        var expected = ""
        for round in 0..<200 as Range<UInt64> {
            let instant = Instant(nanoseconds: round / 3 * 1_000)
            let reports =
                Self.lines.map { Report(control: ControlID($0.0), kind: $0.1) }
                + [
                    Report(control: ControlID(3), kind: .changed(Value(Int32(round)), .web)),
                    Report(control: ControlID(99), kind: .pressed),
                ]
            for report in reports {
                writer.write(report, at: instant, to: &text)
                expected += EventLine.text(report, plan: Self.plan, at: instant) + "\n"
            }
        }
        writer.write(Report(control: ControlID(4), kind: .held), at: .never, to: &text)
        expected += "{\"at\": 18446744073709551615, \"control\": \"start\", \"event\": \"held\", "
        expected += "\"origin\": \"panel\"}\n"
        expectEqual(String(decoding: text, as: UTF8.self), expected)
    }

    @Test(arguments: [ValueNames.onOff, .threeWay, .options(["a", "b c"]), .number(decimals: 2)])
    func namesAndValuesAreInverse(_ names: ValueNames) {
        for raw in [0, 1, 2, -7, 1_234] as [Int32] {
            let name = names.name(of: Value(raw))
            guard name != "unknown", name != "mixed" else { continue }
            expectEqual(names.value(named: name), Value(raw), "\(name)")
        }
        #expect(names.value(named: "nonsense") == nil)
    }

    @Test func patternsHaveWords() {
        for pattern in Pattern.allCases { expectEqual(Pattern(word: pattern.word), pattern) }
        #expect(Pattern(word: "pink") == nil)
    }
}

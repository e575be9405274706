import DetentActions
import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// What an attempt is for, and what its device says: read by the plan that the command belongs to.
@Suite struct PanelActionsTests {
    private static func plan(_ controls: String...) throws -> PanelPlan {
        let text = """
            {panel: P, board: none, mqtt: {url: "mqtt://b"},
            controls: {\(controls.joined(separator: ",\n"))}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems.map(\.text))")
    }

    private static func lamp(_ id: String, _ action: String) -> String {
        "\(id): {label: \(id), kind: toggle-button, input: \(id), action: {\(action)}}"
    }

    private static func run(_ word: String) -> String { "run: [\(word)], timeout: 2s" }

    /// The start of the action of a control.
    private func start(
        _ id: String, of plan: PanelPlan, _ value: Value = .on, keys: ActionKeys? = nil
    ) throws -> ActionCommand {
        let control = try #require(plan.control(named: id))
        guard case .any(let action) = plan[control].settings.actions else {
            throw RigError(text: "\(id) has no action for all values")
        }
        return ActionCommand(
            .start, action: keys?.action(action.index) ?? action.index, run: RunID(1),
            control: keys?.control(control) ?? control, value: value)
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: Subjects and requests

    @Test func anAttemptIsForItsControl() throws {
        let plan = try Self.plan(
            Self.lamp("a", Self.run("x")),
            """
            b: {label: B, kind: toggle-button, input: b, startup: device,
            query: {run: [y], timeout: 3s}, action: {run: [z], timeout: 4s}}
            """)
        let actions = PanelActions(plan)
        let (a, b) = (try start("a", of: plan), try start("b", of: plan))
        expectEqual(
            actions.subject(of: a),
            PanelActions.Subject(control: "a", isQuery: false, timeout: .seconds(2)))
        expectEqual(
            actions.subject(of: b),
            PanelActions.Subject(control: "b", isQuery: false, timeout: .seconds(4)))
        let query = try #require(plan.controls[1].settings.query)
        var asked = b
        asked.action = query.index
        expectEqual(
            actions.subject(of: asked),
            PanelActions.Subject(control: "b", isQuery: true, timeout: .seconds(3)))
        #expect(actions.request(asked).keepsAnswer && !actions.request(b).keepsAnswer)
    }

    /// A command that no panel has made does nothing, and its number is what can be said of it.
    @Test(arguments: [true, false]) func anUnknownCommandDoesNothing(hasControl: Bool) throws {
        let plan = try Self.plan(Self.lamp("a", Self.run("x")))
        let actions = PanelActions(plan)
        let (action, control): (UInt16, UInt16) = hasControl ? (9, 0) : (0, 7)
        let command = ActionCommand(
            .start, action: action, run: RunID(4), control: ControlID(control))
        expectEqual(
            actions.subject(of: command), PanelActions.Subject(control: hasControl ? "#0" : "#7"))
        expectEqual(actions.request(command), ActionRequest(run: RunID(4), .fields([])))
        expectEqual(actions.text(of: command), "")
        expectEqual(actions.answer(command, Self.bytes("on")), .unreadable("unknown control"))
        #expect(actions.confirms(command, Self.bytes("on")) == nil)
        #expect(actions.fits(command, Self.bytes("on")) == nil)
    }

    /// A control ends what its press begins where nothing else is decided by the press.
    @Test func aHeldButtonBeginsAndEnds() throws {
        let plan = try Self.plan(
            "k: {label: K, kind: button, input: k, action: {key: KEY_A}}",
            "r: {label: R, kind: button, input: r, action: {run: [x], timeout: 1s}}")
        let actions = PanelActions(plan)
        func parts(_ id: String) throws -> [PressPart] {
            try [.pressed, .released, .unknown].map {
                actions.request(try start(id, of: plan, $0)).part
            }
        }
        expectEqual(try parts("k"), [.beginning, .end, .whole])
        expectEqual(try parts("r"), [.whole, .whole, .whole])
    }

    /// `{value}` has no word where an attempt is for detents, which have a number.
    @Test func aTurnHasItsSteps() throws {
        let plan = try Self.plan(
            """
            d: {label: D, kind: dial, encoder: {a: A, b: B}, group: Sound,
            turn: {run: [x, "{steps}"], timeout: 1s}}
            """)
        let actions = PanelActions(plan)
        let control = ControlID(0)
        let command = ActionCommand(
            .start, action: 0, run: RunID(1), control: control, value: Value(-3), previous: .on)
        let call = actions.request(command).payload.program
        expectEqual(call?.arguments, ["x", "-3"])
        let words = call?.environment.map { "\($0.name)=\($0.value)" } ?? []
        #expect(words.contains("DETENT_VALUE=") && words.contains("DETENT_PREVIOUS="), "\(words)")
        expectEqual(actions.text(of: command), "run: [x, -3]")
    }

    /// Each form of a text in messages for people.
    @Test func whatWasAskedForIsSaid() throws {
        let plan = try Self.plan(
            Self.lamp("a", "run: [\"a b\", \"x\\ty\\r\\n\"], timeout: 1s"),
            Self.lamp(
                "b",
                "tcp: {to: \"h:1\", text: \"q{value}\\n\", expect: \"a{value}b\"}, timeout: 1s"),
            Self.lamp(
                "c",
                "http: {put: \"http://h/{value}\", headers: {X-A: \"{value}\"}}, timeout: 2s"))
        let actions = PanelActions(plan)
        func text(_ id: String) throws -> String { actions.text(of: try start(id, of: plan)) }
        expectEqual(try text("a"), "run: [a b, \"x\\ty\\r\\n\"]")
        expectEqual(try text("b"), "tcp: {to: h:1, text: \"qon\\n\", expect: a{value}b}")
        expectEqual(try text("c"), "http: {put: http://h/on, headers: {X-A: on}}")
    }

    /// A service of the broker drops what comes too late, unless the message is kept anyway.
    @Test func aMessageExpiresWithItsAction() throws {
        func message(_ more: String) -> String {
            "mqtt: {topic: t, payload: \"{value}\"\(more)}, timeout: 3s"
        }
        let plan = try Self.plan(
            Self.lamp("a", message("")), Self.lamp("b", message(", retain: true")),
            Self.lamp("c", message(", expire: 1h")), Self.lamp("d", message(", qos: 0")))
        let actions = PanelActions(plan)
        func expiry(_ id: String) throws -> ActionField.Content? {
            guard case .fields(let fields) = actions.request(try start(id, of: plan)).payload else {
                return nil
            }
            return fields["expire"]
        }
        expectEqual(try expiry("a"), .duration(.seconds(3)))
        expectEqual(try expiry("b"), nil)
        expectEqual(try expiry("c"), .duration(.seconds(3_600)))
        func text(_ id: String) throws -> String { actions.text(of: try start(id, of: plan)) }
        expectEqual(try text("a"), "mqtt: {topic: t, payload: on}", "the file does not have it")
        expectEqual(try text("b"), "mqtt: {topic: t, payload: on, retain: true}")
        expectEqual(try text("c"), "mqtt: {topic: t, payload: on, expire: 1h}")
        expectEqual(try text("d"), "mqtt: {topic: t, payload: on, qos: 0}")
    }

    /// Only an answer with a value is kept: any other is looked at by the runner.
    @Test func anAnswerWithAValueIsKept() throws {
        func tcp(_ expect: String) -> String { "tcp: {to: \"h:1\", text: q\(expect)}, timeout: 1s" }
        let plan = try Self.plan(
            Self.lamp("a", tcp("")), Self.lamp("b", tcp(", expect: OK")),
            Self.lamp("c", tcp(", expect: \"IS {value}\"")),
            Self.lamp("d", "http: {get: \"http://h\", confirm: {pointer: /a}}, timeout: 1s"),
            Self.lamp("e", "http: {get: \"http://h\"}, timeout: 1s"))
        let actions = PanelActions(plan)
        let kept = try ["a", "b", "c", "d", "e"].map {
            actions.request(try start($0, of: plan)).keepsAnswer
        }
        expectEqual(kept, [false, false, true, true, false])
    }

    // MARK: What a device says

    private static let topic = "mqtt: {topic: t, payload: \"{value}\", confirm: "

    @Test func aMessageConfirmsTheValueThatWasAskedFor() throws {
        let plan = try Self.plan(
            Self.lamp("a", Self.topic + "{topic: s}}, timeout: 1s"),
            Self.lamp("b", Self.topic + "{topic: s, pointer: /p/0}}, timeout: 1s"),
            Self.lamp("c", Self.topic + "{topic: s, map: {hot: on, cold: off}}}, timeout: 1s"),
            Self.lamp("d", Self.run("x")))
        let actions = PanelActions(plan)
        func confirms(_ id: String, _ message: String, _ value: Value = .on) throws -> Bool? {
            actions.confirms(try start(id, of: plan, value), Self.bytes(message))
        }
        expectEqual(try confirms("a", "on"), true)
        expectEqual(try confirms("a", "off"), false)
        expectEqual(try confirms("a", "off", .off), true)
        expectEqual(try confirms("a", "perhaps"), false)
        expectEqual(try confirms("a", ""), false)
        expectEqual(try confirms("b", "{\"p\": [\"on\", \"off\"]}"), true)
        expectEqual(try confirms("b", "on"), false)
        expectEqual(try confirms("c", "hot"), true)
        expectEqual(try confirms("c", "cold"), false)
        expectEqual(try confirms("c", "cold", .off), true)
        expectEqual(try confirms("d", "on"), nil, "no message confirms it")
    }

    @Test func anAnswerFitsWhatIsExpected() throws {
        let plan = try Self.plan(
            Self.lamp("a", "tcp: {to: \"h:1\", text: q, expect: OK}, timeout: 1s"),
            Self.lamp("b", "tcp: {to: \"h:1\", text: q}, timeout: 1s"),
            Self.lamp("c", Self.run("x")))
        let actions = PanelActions(plan)
        func fits(_ id: String, _ text: String) throws -> Bool? {
            actions.fits(try start(id, of: plan), Self.bytes(text))
        }
        expectEqual(try fits("a", "what\nOK\n"), nil, "there is nothing to object to")
        expectEqual(try fits("a", "what\n"), false)
        let long = String(repeating: "x", count: ActionLimits.wireLooked - 1)
        expectEqual(try fits("a", long), false)
        expectEqual(try fits("a", long + "x"), nil, "it says no more")
        expectEqual(try fits("a", long + "x\nOK"), nil)
        expectEqual(try fits("b", "what\n"), nil)
        expectEqual(try fits("c", "what\n"), nil)
    }

    @Test func anAnswerHasItsValueWhereItIsExpected() throws {
        let plan = try Self.plan(
            Self.lamp("a", "tcp: {to: \"h:1\", text: q, expect: OK}, timeout: 1s"),
            Self.lamp("b", "tcp: {to: \"h:1\", text: q, expect: \"IS {value};\"}, timeout: 1s"),
            """
            c: {label: C, kind: toggle-button, input: c, startup: device,
            query: {tcp: {to: "h:1", text: q, expect: "IS {value};"}, timeout: 3s}}
            """)
        let actions = PanelActions(plan)
        func answer(_ id: String, _ text: String, _ value: Value = .on) throws -> ActionAnswer {
            actions.answer(try start(id, of: plan, value), Self.bytes(text))
        }
        let unfit = ActionAnswer.unreadable("no part of its answer fits `expect`")
        expectEqual(try answer("a", "busy\nOK\n"), .confirmed(.on))
        expectEqual(try answer("a", "OK", .off), .confirmed(.off))
        expectEqual(try answer("a", "error\n"), unfit)
        expectEqual(try answer("b", "busy\nIS off;\n"), .confirmed(.off))
        expectEqual(try answer("b", "off\n"), unfit)
        guard case .unreadable(let cause) = try answer("b", "IS odd;\n") else {
            Issue.record("it is no value")
            return
        }
        #expect(cause.hasPrefix("it printed `odd`"), "\(cause)")
        // What comes after the bytes that are looked at is not seen.
        let flood = String(repeating: "x", count: ActionLimits.wireLooked - 3)
        expectEqual(try answer("a", flood + "\nOK\n"), .confirmed(.on))
        expectEqual(try answer("a", flood + "\n\nOK\n"), unfit)
        // A query tells the value of the device, which no attempt made.
        let query = try #require(plan.controls[2].settings.query)
        let command = ActionCommand(
            .start, action: query.index, run: RunID(1), control: ControlID(2))
        expectEqual(actions.answer(command, Self.bytes("IS on;")), .value(.on))
    }

    // MARK: A panel that follows

    /// Controls and actions that continue keep their keys, and with them attempts that run.
    @Test func whatContinuesKeepsItsKeys() throws {
        let former = try Self.plan(
            Self.lamp("a", Self.run("a1")), Self.lamp("b", Self.run("b1")),
            Self.lamp("c", Self.run("c1")))
        let next = try Self.plan(
            Self.lamp("new", Self.run("n1")), Self.lamp("c", Self.run("c1")),
            Self.lamp("a", Self.run("a2")))
        let actions = PanelActions(former)
        let keys = actions.keys
        expectEqual(keys.controls, [0, 1, 2])
        expectEqual(keys.actions, [0, 1, 2])
        for place: UInt16 in 0...2 {
            expectEqual(keys.control(ofKey: ControlID(place)), ControlID(place))
        }
        let replaced = try #require(
            actions.replacePlan(next, PanelDifference(from: former, to: next)))
        expectEqual(replaced.keys, actions.keys)
        expectEqual(replaced.kinds, [.run, .run], "those that are new")
        expectEqual(replaced.keys.controls, [3, 2, 4])
        expectEqual(replaced.keys.actions, [3, 2, 4])
        func arguments(_ command: ActionCommand) -> [String] {
            actions.request(command).payload.program?.arguments ?? []
        }
        expectEqual(arguments(try start("a", of: next, keys: replaced.keys)), ["a2"])
        expectEqual(arguments(try start("c", of: next, keys: replaced.keys)), ["c1"])
        expectEqual(arguments(try start("new", of: next, keys: replaced.keys)), ["n1"])
        // An attempt of the former panel that is about to start.
        let late = try start("b", of: former)
        expectEqual(arguments(late), ["b1"])
        expectEqual(actions.subject(of: late).control, "b")
        expectEqual(replaced.keys.control(ofKey: ControlID(2)), ControlID(1))
        expectEqual(replaced.keys.control(ofKey: ControlID(4)), ControlID(2))
        expectEqual(replaced.keys.control(ofKey: ControlID(1)), nil, "it is there no more")
    }

    /// What it asks of its device may be new, though the control continues.
    @Test func aControlThatContinuesHasItsNewTexts() throws {
        let former = try Self.plan(Self.lamp("a", Self.run("a1")), Self.lamp("b", Self.run("b1")))
        let next = try Self.plan(
            Self.lamp("b", Self.run("b1")).replacing("label: b", with: "label: Better"))
        let actions = PanelActions(former)
        let replaced = try #require(
            actions.replacePlan(next, PanelDifference(from: former, to: next)))
        expectEqual(replaced.keys.controls, [1])
        expectEqual(replaced.kinds, [])
        let command = try start("b", of: next, keys: replaced.keys)
        expectEqual(actions.subject(of: command).control, "b")
        expectEqual(actions.request(command).payload.program?.arguments, ["b1"])
    }

    /// A panel that was refused leaves the former keys, and what comes after it gets others.
    @Test func aRefusedPanelLeavesTheFormerKeys() throws {
        let former = try Self.plan(Self.lamp("a", Self.run("a1")))
        let refused = try Self.plan(Self.lamp("b", Self.run("b1")))
        let next = try Self.plan(Self.lamp("c", Self.run("c1")))
        let actions = PanelActions(former)
        let keys = actions.keys
        _ = actions.replacePlan(refused, PanelDifference(from: former, to: refused))
        #expect(actions.keys != keys)
        actions.goBack(to: keys)
        expectEqual(actions.keys, keys)
        let replaced = try #require(
            actions.replacePlan(next, PanelDifference(from: former, to: next)))
        expectEqual(replaced.keys.controls, [2])
        let command = try start("c", of: next, keys: replaced.keys)
        expectEqual(actions.request(command).payload.program?.arguments, ["c1"])
    }

    /// Keys are not used again; when they are at an end, a reload is refused and nothing changes.
    @Test func keysAreBounded() throws {
        let count = 600
        let one = try Self.plan(Self.lamp("a", Self.run("x")))
        let rows = (0..<count).map { Self.lamp("b\($0)", Self.run("x")) }
        let plan = try Self.plan(rows.joined(separator: ",\n"))
        let actions = PanelActions(plan)
        let none = PanelDifference(from: one, to: plan)
        var taken = 1
        while actions.replacePlan(plan, none) != nil, taken < 200 { taken += 1 }
        expectEqual(taken, RuntimeLimits.actionKeys / count)
        let keys = actions.keys
        #expect(actions.replacePlan(plan, none) == nil)
        expectEqual(actions.keys, keys)
        #expect(actions.replacePlan(one, PanelDifference(from: plan, to: one)) == nil)
    }

    /// One that the panel does not have is left as it is.
    @Test func aKeyThatIsUnknownIsItself() {
        let keys = ActionKeys()
        expectEqual(keys.action(7), 7)
        expectEqual(keys.control(ControlID(7)), ControlID(7))
        expectEqual(keys.control(ofKey: ControlID(7)), nil)
    }
}

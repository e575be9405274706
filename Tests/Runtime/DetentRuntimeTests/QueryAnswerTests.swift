import DetentActions
import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// What a query prints becomes a value, or a reason.
@Suite struct QueryAnswerTests {
    private func control(_ keys: String) throws -> ControlPlan {
        let text = "{panel: P, board: none, controls: {c: {label: C, \(keys)}}}"
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems)").controls[0]
    }

    private static let lever = "kind: switch, input: A"
    private static let radio = "kind: radio-group, selector: [A, B], options: [2 V, 20 V]"
    private static let acting = "action: {run: [x], timeout: 1s}"
    private static let dial =
        "kind: dial, encoder: {a: A, b: B}, range: {min: 0, max: 20, step: 0.5}"

    @Test(arguments: [
        (lever, "on\n", Value.on), (lever, "off", .off), (lever, " \t on \r\nfoo\n", .on),
        (radio + ", words: {2 V: low}, " + acting, "low", Value(0)),
        (dial + ", scale: 2, " + acting, "25\n", Value(125)),
        (radio, "20 V\n", Value(1)), (dial, "12.5\nV\n", Value(125)), (dial, "12\n", Value(120)),
    ])
    func theFirstLineIsTheWord(keys: String, output: String, value: Value) throws {
        expectEqual(QueryAnswer.read(Array(output.utf8), of: try control(keys)), .value(value))
    }

    @Test(arguments: [
        (lever, "", "it printed no value; it must answer with one of: off, on"),
        (lever, "\non\n", "it printed no value"), (lever, "ON\n", "it printed `ON`; "),
        (lever, "unknown\n", "it printed `unknown`"), (lever, "mixed\n", "it printed `mixed`"),
        (radio, "200 V\n", "must answer with one of: 2 V, 20 V"),
        (dial, "20.5\n", "must answer with a number from 0.0 to 20.0"),
        (dial + ", scale: -2, " + acting, "1\n", "answer with a number from -40.0 to 0.0"),
        (lever + ", words: {on: AN}, " + acting, "1\n", "must answer with one of: off, AN"),
        (dial, "20.06\n", "it printed `20.06`"), (lever, "a\u{1B}[31mb\n", "`a?[31mb`"),
        (lever, String(repeating: "x", count: 900), "`" + String(repeating: "x", count: 60) + "`"),
        (lever, String(repeating: " ", count: ActionLimits.answer), "more than 1024 bytes"),
    ])
    func anythingElseSaysWhy(keys: String, output: String, text: String) throws {
        guard
            case .unreadable(let why) = QueryAnswer.read(
                Array(output.utf8), of: try control(keys))
        else {
            Issue.record("\(output) was taken for a value")
            return
        }
        #expect(why.contains(text), "\(why)")
    }

    /// A service may repeat a secret, in JSON with escapes; it is hidden before the text is cut.
    @Test(arguments: [0, 1, 40, 58, 60])
    func aSecretIsNotShown(place: Int) throws {
        let secret = "Qu3ryAnsw3rS3cret\"Bytes"
        KnownSecrets.ofThisProcess.learn(secret)
        let start = String(repeating: "x", count: place)
        for (output, pointer) in [
            (start + secret, nil), ("\"\(start)Qu3ryAnsw3rS3cret\\\"Bytes\"", ""),
        ] as [(String, String?)] {
            let control = try control(Self.lever)
            let bytes = Array(output.utf8)
            let read =
                pointer.map { QueryAnswer.read(bytes, at: $0, of: control) }
                ?? QueryAnswer.read(bytes, of: control)
            guard case .unreadable(let why) = read else {
                Issue.record("\(output) was taken for a value")
                return
            }
            #expect(!why.contains("Q"), "\(why)")
        }
    }

    // MARK: JSON

    @Test(arguments: [
        (lever, "{\"state\": \"on\"}", "/state", Value.on),
        (lever, "{\"a\": [0, {\"b/c\": true}]}", "/a/1/b~1c", .on),
        (lever, "{\"~\": false}", "/~0", .off), (lever, " \"on\" ", "", .on),
        (radio, "{\"\": \"20 V\"}", "/", Value(1)), (dial, "{\"v\": 12.5}", "/v", Value(125)),
        (dial, "[12]", "/0", Value(120)),
    ])
    func thePointerLeadsToTheWord(
        keys: String, answer: String, pointer: String, value: Value
    ) throws {
        let control = try control(keys)
        expectEqual(QueryAnswer.read(Array(answer.utf8), at: pointer, of: control), .value(value))
    }

    @Test(arguments: [
        ("on", "/a", "its answer is not JSON: expected a value, at byte 0"),
        ("", "/a", "its answer is not JSON: unexpected end of text, at byte 0"),
        ("{\"a\": {}}", "/a", "`/a` of its answer is not a text, a number, true or false"),
        ("{\"a\": null}", "/a", "is not a text"), ("{}", "/a", "its answer has nothing at `/a`"),
        ("[1]", "/1", "nothing at"), ("[1]", "/00", "nothing at"), ("[1]", "/-1", "nothing at"),
        ("{\"a\": 1}", "a", "nothing at"), ("{\"a\": 1}", "/a/b", "nothing at"),
        ("{\"a\": \"ON\"}", "/a", "it answered `ON`; it must answer with one of: off, on"),
    ])
    func otherAnswersSayWhy(answer: String, pointer: String, text: String) throws {
        let read = QueryAnswer.read(Array(answer.utf8), at: pointer, of: try control(Self.lever))
        guard case .unreadable(let why) = read else {
            Issue.record("\(answer) was taken for a value")
            return
        }
        #expect(why.contains(text), "\(why)")
    }

    /// Blanks around a word are left out, and nothing else is.
    @Test(arguments: [0x08, 0x0E, 0x1F, 0x21] as [UInt8]) func onlyBlanksAreLeftOut(
        byte: UInt8
    ) throws {
        let lever = try control(Self.lever)
        for blank: UInt8 in [0x09, 0x0B, 0x0C, 0x0D, 0x20] {
            expectEqual(
                QueryAnswer.read([blank] + Array("on".utf8) + [blank], of: lever), .value(.on))
        }
        for text in [[byte] + Array("on".utf8), Array("on".utf8) + [byte]] {
            guard case .unreadable = QueryAnswer.read(text, of: lever) else {
                Issue.record("\(text) was taken for a value")
                return
            }
        }
    }

    @Test func bytesThatAreNoTextAreNone() throws {
        guard case .unreadable = QueryAnswer.read([0xFF, 0xFE, 0x0A], of: try control(Self.lever))
        else {
            Issue.record("taken for a value")
            return
        }
    }

    // MARK: Lines of a wire

    private static func wire(_ expect: [String]?, _ pointer: String? = nil) -> FeedbackPlan {
        let fields = expect.map { [ActionField("expect", .texts($0))] } ?? []
        return FeedbackPlan(.wire("tcp", fields: fields), pointer: pointer, words: [])
    }

    /// A line is a value, a row of words, or JSON; with `expect`, what it has there.
    @Test(
        arguments: [
            (nil, nil, "12", Value(120)), (nil, nil, "\n", nil), (nil, nil, "", nil),
            (["T ", " C"], nil, "T 7 C", Value(70)), (["T ", " C"], nil, "H 7 C", nil),
            (["T ", ""], nil, "now T 7.5", Value(75)),
            (nil, "/1", "a 3 b", Value(30)), (nil, "/0", "  3\t4 5", Value(30)),
            (nil, "/2", "3\t4 5", Value(50)), (nil, "/3", "3 4 5", nil), (nil, "/x", "3", nil),
            (nil, "/-1", "3", nil), (nil, "/1", "[8, 9]", Value(90)),
            (nil, "/a", " {\"a\": 2}", Value(20)),
            (nil, "/b", "{\"a\": 2}", nil), (["T ", ";"], "/1", "T 1 2;", Value(20)),
            (["T ", ";"], "/a", "T {\"a\": 4};", Value(40)),
        ] as [([String]?, String?, String, Value?)])
    func aLineOfAWireIsRead(
        expect: [String]?, pointer: String?, line: String, value: Value?
    ) throws {
        let read = QueryAnswer.read(
            Array(line.utf8), as: Self.wire(expect, pointer), of: try control(Self.dial))
        expectEqual(read, value.map { .value($0) }, "\(line) at \(pointer ?? "-")")
    }

    /// A word at its place that is no value says so.
    @Test func aWordThatIsNoValueIsSaid() throws {
        let read = QueryAnswer.read(
            Array("a b".utf8), as: Self.wire(nil, "/1"), of: try control(Self.dial))
        guard case .unreadable(let why)? = read else {
            Issue.record("\(String(describing: read))")
            return
        }
        #expect(why.hasPrefix("it printed `b`"), "\(why)")
    }

    /// `true` is on, unless the device has it as a word for something else.
    @Test func aDeviceMayCallOffTrue() throws {
        func read(_ keys: String) throws -> ActionAnswer {
            QueryAnswer.read(Array("true".utf8), at: "", of: try control(keys))
        }
        expectEqual(try read(Self.lever), .value(.on))
        let words = "words: {on: \"false\", off: \"true\"}, "
        expectEqual(try read("\(Self.lever), \(words)\(Self.acting)"), .value(.off))
        let others = "words: {on: \"1\", off: \"0\"}, "
        expectEqual(try read("\(Self.lever), \(others)\(Self.acting)"), .value(.on))
    }

    @Test func onlyTheQueryKeepsItsAnswer() throws {
        let text = """
            {panel: P, board: none, controls: {c: {label: C, kind: switch, input: A,
            action: {run: [set, "{value}"], timeout: 1s},
            query: {run: [get, "{control}"], timeout: 1s}}}}
            """
        let plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        let actions = PanelActions(plan)
        let set = actions.request(ActionCommand(.start, action: 0, run: RunID(1), value: .on))
        #expect(set.payload.program?.arguments == ["set", "on"] && !set.keepsAnswer)
        let get = ActionCommand(.start, action: 1, run: RunID(2))
        expectEqual(actions.request(get).payload.program?.arguments, ["get", "c"])
        #expect(actions.request(get).keepsAnswer)
        expectEqual(actions.answer(get, Array("on\n".utf8)), .value(.on))
    }
}

/// A query on the real-time loop: at start, its answer becomes the value.
@Suite struct QueryLoopTests {
    @Test func theAnswerReachesTheEngine() throws {
        let text = """
            {panel: P, board: none, controls: {c: {label: C, kind: toggle-button, input: A,
            startup: device, action: {run: [set], timeout: 60s},
            query: {run: [get], timeout: 60s}}}}
            """
        let plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        let rig = try LoopRig(plan, ScriptedBackend())
        _ = rig.open()
        rig.start()
        #expect(rig.runner.waitForBegun(1))
        expectEqual(rig.runner.begun[0].payload.program?.arguments, ["get"])
        rig.runner.end(rig.runner.begun[0].run, answer: "on\n")
        #expect(rig.turn { rig.snapshot("c")?.actual == .on })
        #expect(rig.snapshot("c")?.desired == .on && rig.snapshot("c")?.flags == [])
        #expect(rig.kinds("c").contains(.changed(.on, .device)))
        expectEqual(rig.runner.begun.count, 1, "no action runs")
    }

    @Test func anAnswerThatMakesNoSenseIsAFailure() throws {
        let text = """
            {panel: P, board: none, controls: {c: {label: C, kind: toggle-button, input: A,
            startup: device, query: {run: [get], timeout: 60s}}}}
            """
        let plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        let rig = try LoopRig(plan, ScriptedBackend())
        _ = rig.open()
        rig.start()
        #expect(rig.runner.waitForBegun(1))
        let run = rig.runner.begun[0].run
        rig.runner.end(run, answer: "perhaps\n")
        rig.turn()
        expectEqual(rig.snapshot("c")?.flags, .unconfirmed)
        let details = try #require(rig.dispatcher.details[run])
        expectEqual(details.outcome, .failed(.invalidAnswer))
        #expect(details.explanation.hasPrefix("it printed `perhaps`; "))
    }

    @Test func savedValuesComeBeforeTheStart() throws {
        let text =
            "{panel: P, board: none, controls: {c: {label: C, kind: toggle-button, input: A}}}"
        let plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        let rig = try LoopRig(plan, ScriptedBackend())
        _ = rig.open()
        rig.start(saved: [SavedValue(control: ControlID(0), value: .on)])
        expectEqual(rig.snapshot("c")?.desired, .on)
        expectEqual(rig.kinds("c"), [.changed(.on, .startup)])
    }

    @Test func aKeptValueWakesTheRecorder() throws {
        let stream = try ReportStream()
        let changed = Report(control: ControlID(0), kind: .changed(.on, .panel))
        #expect(!stream.push(changed, at: .zero), "nobody keeps it")
        stream.keepValues()
        #expect(stream.push(changed, at: .zero))
        #expect(!stream.push(Report(control: ControlID(0), kind: .pressed), at: .zero))
    }
}

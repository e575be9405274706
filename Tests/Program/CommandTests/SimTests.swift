import Glibc
import TestSupport
import Testing

/// `detent sim`, fed by a hand.
@Suite struct SimTests {
    /// Nobody listens: tests run beside each other.
    static let alone = ["sim", Program.panel, "--listen", "off"]
    static let instant = ["--takes", "0ms", "--bounce", "none"]

    static func sim(_ input: String, _ options: [String] = instant) -> Program.Result {
        Program.run(alone + options, input: input)
    }

    /// The events of a control without their times.
    static func events(_ result: Program.Result, of control: String) -> [String] {
        result.lines.filter { $0.contains("\"control\": \"\(control)\"") }
            .map { String($0.drop { $0 != "," }.dropFirst(2)) }
    }

    @Test func endOfInputEndsItAtRest() {
        let result = Self.sim("flip output on\n")
        expectEqual(result.code, 0, "\(result)")
        let events = Self.events(result, of: "output")
        #expect(
            events.contains(
                #""control": "output", "event": "changed", "value": "on", "origin": "panel"}"#),
            "\(events)")
        #expect(
            events.contains(#""control": "output", "event": "confirmed", "value": "on"}"#),
            "\(events)")
    }

    @Test func gesturesMoveWhatTheyName() {
        let result = Self.sim(
            """
            press calibrate
            wait 50ms
            release calibrate
            wait 50ms
            select range 20 V
            wait 600ms
            set set-point 7.5
            wait 50ms
            turn set-point +1
            wait 300ms
            quit

            """)
        expectEqual(result.code, 0)
        let buttons = Self.events(result, of: "calibrate")
        expectEqual(buttons.count { $0.contains("\"pressed\"") }, 1, "\(buttons)")
        expectEqual(buttons.count { $0.contains("\"released\"") }, 1, "\(buttons)")
        #expect(
            Self.events(result, of: "range").contains {
                $0.contains("\"changed\"") && $0.contains("\"20 V\"") && $0.contains("\"panel\"")
            })
        let dial = Self.events(result, of: "set-point")
        #expect(dial.contains { $0.contains("\"value\": 7.50, \"origin\": \"api\"") }, "\(dial)")
        #expect(dial.contains { $0.contains("\"value\": 7.55, \"origin\": \"panel\"") }, "\(dial)")
    }

    @Test func whatADeviceTellsIsShown() {
        let result = Self.sim("wait 100ms\nfeedback output on\nset calibrate press\n")
        let events = Self.events(result, of: "output")
        #expect(
            events.contains {
                $0.contains("\"changed\", \"value\": \"on\", \"origin\": \"device\"")
            }, "\(events)")
        #expect(Self.events(result, of: "calibrate").contains { $0.contains("\"phase\"") })
    }

    @Test func failingActionIsShownAndReverted() {
        let result = Self.sim("wait 100ms\nfail\nflip output on\n")
        let events = Self.events(result, of: "output")
        #expect(events.contains { $0.contains("\"failed\"") }, "\(events)")
        #expect(
            events.contains { $0.contains("\"changed\"") && $0.contains("\"device\"") }, "\(events)"
        )
        #expect(result.errors.contains("output: action failed"), "\(result.errors)")
    }

    @Test func everyClickOfAPipeIsPlayed() {
        let result = Self.sim("click calibrate\nclick calibrate\nclick calibrate\n")
        expectEqual(result.code, 0, "\(result)")
        let presses = result.output.split(separator: "\n").count {
            $0.contains("\"calibrate\"") && $0.contains("\"pressed\"")
        }
        expectEqual(presses, 3, "\(result.output)")
    }

    static let refused: [(line: String, says: String)] = [
        ("dance output", "`dance` is not a gesture"),
        ("press", "this gesture needs a control"),
        ("press outptu", "there is no control `outptu`"),
        ("flip output sideways", "output has no position `sideways`"),
        ("flip output", "output needs a position"),
        ("set set-point 9e99", "is not a value of set-point"),
        ("turn set-point many", "`turn` needs a number of detents"),
        ("turn set-point 99999999999999999999", "`turn` needs a number of detents"),
        ("turn set-point -9223372036854775808", "cannot be moved that far"),
        ("turn output 1", "does not support this gesture"),
        ("select output on", ""),
        ("flip calibrate on", "calibrate has no position `on`"),
        ("press output", "does not support this gesture"),
        ("hold calibrate", "is not a duration"),
        ("hold calibrate 5", "is not a duration"),
        ("glitch GPIO99 1ms", "there is no line `GPIO99`"),
        ("stick GPIO17 sideways", "`stick` needs a level"),
        ("cut GPIO27", "the line GPIO27 has no contact"),
        ("takes forever", "`takes` needs a time"),
        ("wait", "`wait` needs a time"),
        ("wait 86401s", "`wait` takes at most a day"),
        ("hold calibrate 86401s", "`hold` takes at most a day"),
        ("glitch GPIO17 86401s", "`glitch` takes at most a day"),
        ("takes 86401s", "`takes` takes at most a day"),
        ("press \u{1B}[2J\rdetent: x\u{85}\u{202E}", "there is no control `\u{FFFD}[2J"),
        ("set calibrate on", "`on` is not an event of calibrate"),
        ("set calibrate", "calibrate needs an event"),
        ("press calibrate 2", "calibrate has no button `2`"),
        ("cover output open", "output, a switch, does not support this gesture"),
        ("cover output up", "write `open` or `shut`"),
        ("confirm output on", "write `set output VALUE`"),
        ("feedback calibrate on", "calibrate has no value"),
        ("\u{0}\u{1b}[2J\u{7f}", "is not a gesture"),
    ]

    @Test func wordsThatMeanNothingAreToldAndHarmNothing() {
        let input = Self.refused.map(\.line).joined(separator: "\n") + "\n\n   \nflip output on\n"
        let result = Self.sim(input)
        expectEqual(result.code, 0, "\(result)")
        for refused in Self.refused where !refused.says.isEmpty {
            #expect(result.errors.contains(refused.says), "\(refused.line): \(result.errors)")
        }
        for scalar: Unicode.Scalar in ["\u{1B}", "\u{0}", "\r", "\u{85}", "\u{202E}", "\u{7F}"] {
            #expect(!result.errors.unicodeScalars.contains(scalar), "\(scalar.value)")
        }
        #expect(Self.events(result, of: "output").contains { $0.contains("\"on\"") })
    }

    @Test func valueOutOfRangeIsRefused() {
        let result = Self.sim("wait 50ms\nset set-point 99\n")
        #expect(
            Self.events(result, of: "set-point").contains { $0.contains("\"refused\"") },
            "\(result)")
    }

    @Test func veryLongLinesDoNoHarm() {
        let long = String(repeating: "press ", count: 200_000)
        let result = Self.sim("\(long)\nflip output on\n\(long)")
        expectEqual(result.code, 0, "\(result.errors.prefix(500))")
        #expect(result.errors.contains("a gesture has at most 4096 bytes"))
        #expect(result.errors.utf8.count < 10_000)
        #expect(Self.events(result, of: "output").contains { $0.contains("\"on\"") })
    }

    @Test func manyGesturesAtOnceAreTakenOrRefused() {
        let count = TestLength.size(short: 500, long: 5_000)
        let result = Self.sim(String(repeating: "click calibrate\nset output on\n", count: count))
        expectEqual(result.code, 0, "\(result.errors.suffix(500))")
    }

    /// SIGHUP comes from a terminal that closes.
    @Test(arguments: [SIGTERM, SIGINT, SIGQUIT, SIGHUP]) func signalEndsIt(_ signal: Int32) {
        let session = Session(Self.alone)
        #expect(session.waitFor("\"confirmed\""))
        session.send(signal)
        expectEqual(session.end().code, 0)
    }

    @Test func signalEndsItWhileNobodyTakesItsOutput() {
        let session = Session(Self.alone + Self.instant)
        #expect(session.waitFor("\"confirmed\""))
        // Far more events than the pipe holds; nobody reads them until it has ended.
        for _ in 0..<5_000 { session.write("set output on\nset output off\n") }
        #expect(session.waitForErrors("event lines are dropped", takingOutput: false))
        session.write("hold calibrate 10s\n")
        session.send(SIGTERM)
        expectEqual(session.endWithoutReading(), 1, "events are lost, which the log says")
        #expect(session.end().errors.contains("event lines were not written"))
    }

    @Test func signalsThatMeanNothingDisturbNothing() {
        let session = Session(Self.alone + Self.instant)
        #expect(session.waitFor("\"confirmed\""))
        session.send(SIGUSR1)
        #expect(session.waitForErrors("SIGUSR1 is ignored"))
        session.send(SIGUSR2)
        #expect(session.waitForErrors("SIGUSR2 is ignored"))
        session.send(SIGPIPE)
        session.write("flip output on\n")
        #expect(session.waitFor("\"value\": \"on\""))
        session.write("quit\n")
        expectEqual(session.end().code, 0)
    }

    @Test(arguments: [">/dev/full", ">&-", "| head -n 1"])
    func itEndsWhenEventsCannotBeWritten(_ redirect: String) {
        let session = Session(Self.alone, redirect: redirect)
        // The input stays open: it ends by itself, at the latest with the next event.
        session.write("flip output on\n")
        let result = session.end()
        expectEqual(result.signal, 0)
        expectEqual(result.code, (redirect.hasPrefix("|") ? 0 : 1), "\(result)")
        #expect(result.errors.contains("cannot write events"), "\(result.errors)")
        expectEqual(result.errors.components(of: "cannot write events"), 1, "said once")
        #expect(result.errors.contains("help: "))
    }

    @Test func closedInputIsTheEndOfIt() {
        let result = Program.run(Self.alone + Self.instant, redirect: "<&-")
        expectEqual(result.code, 0, "\(result)")
        #expect(result.output.contains("\"confirmed\""))
    }

    @Test(arguments: [
        ["--bounce", "no-such-part"], ["--takes", "5"], ["--takes", "soon"],
    ]) func wrongOptionIsUsage(_ options: [String]) {
        let result = Self.sim("", options)
        expectEqual(result.code, 2)
        #expect(result.errors.contains("help: "), "\(result.errors)")
    }

    /// Runs a switch whose action is a shell script, and gives it gestures.
    private static func runsScript(_ script: String, _ gestures: String) -> Program.Result {
        let file = TemporaryFile(
            "panel.yaml",
            """
            panel: Real
            board: none
            controls:
              power:
                kind: switch
                label: Power
                input: SWITCH
                action: {run: [sh, -c, '\(script)'], timeout: 5s}

            """)
        return Program.run(
            ["sim", file.path, "--run-actions", "--listen", "off"],
            input: "wait 200ms\n" + gestures)
    }

    /// A program cannot make lines of the log, whatever it takes for an end of a line.
    @Test func aProgramForgesNoLogLine() {
        let words = #"1\r\ndetent: power: 2\r3\033[2J\302\205detent: 4\r\n\342\200\256"#
        let script = #"printf "\#(words)" >&2; exit 1"#
        let result = Self.runsScript(script, "flip power on\n")
        let lines = result.errors.utf8.split(separator: 10).map {
            String(decoding: $0, as: UTF8.self)
        }
        let tail = lines.filter { $0.hasPrefix("detent: power: ") && !$0.contains("failed") }
        expectEqual(
            tail.prefix(3),
            [
                "detent: power: stderr: 1",
                #"detent: power: stderr: detent: power: 2\u000d3\u001b[2J\u0085detent: 4"#,
                #"detent: power: stderr: \u202e"#,
            ], "\(result.errors)")
    }

    @Test func itRunsProgramsWhenAsked() {
        let result = Self.runsScript("echo no power >&2; exit 3", "flip power on\nfail\n")
        expectEqual(result.code, 0)
        #expect(result.errors.contains("power: action failed"), "\(result.errors)")
        #expect(result.errors.contains("power: stderr: no power"), "\(result.errors)")
        #expect(
            result.errors.contains("the outcome of real programs cannot be set"), "\(result.errors)"
        )
    }
}

extension String {
    /// How often a fragment stands in it.
    func components(of fragment: String) -> Int {
        ranges(of: fragment).count
    }
}

import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentServer

/// How controls and their states are told, against docs/http.md and control by control.
@Suite struct ControlStateJSONTests {
    private static let root =
        #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }

    private static func text(_ path: String) -> String {
        guard let file = fopen(root + "/" + path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The members that a table of the document names, which comes behind some words.
    private static func members(behind words: String) -> [String] {
        let document = text("docs/http.md")
        guard let start = document.firstRange(of: words)?.upperBound else { return [] }
        let lines = document[start...].split(separator: "\n").drop { !$0.hasPrefix("|") }
        return lines.prefix { $0.hasPrefix("|") }.dropFirst(2).flatMap { line in
            line.split(separator: "|")[0].split(separator: "`").filter { word in
                word.contains { $0.isLetter }
            }.map(String.init)
        }
    }

    private static let panels: [String] = {
        guard let folder = opendir(root + "/panels") else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.contains(".") { names.append(name) }
        }
        return names.sorted()
    }()

    private func names(_ json: JSONValue?) -> [String] {
        guard case .object(let members)? = json else { return [] }
        return members.map(\.0)
    }

    @Test(arguments: panels) func membersAreThoseOfTheDocument(_ panel: String) throws {
        let plan = try ServedPanel.plan(Self.text("panels/\(panel)/panel.yaml"))
        let described = Self.members(behind: "Each of `panel.controls`")
        let stated = Self.members(behind: "**`state`** has")
        #expect(described.count > 20 && stated.count > 15)
        let bench = try HubBench(ServedPanel(plan, isSimulated: true))
        let (ear, _) = bench.listen()
        let snapshot = try #require(ear.last("snapshot"))
        let controls = try #require(snapshot["panel"]?["controls"]?.items)
        expectEqual(controls.count, plan.controls.count)
        for control in controls {
            let id = try #require(control["id"]?.text)
            expectEqual(names(control), described, "\(id)")
            expectEqual(names(snapshot["state"]?[id]), stated, "\(id)")
            let values = control["values"]?.items?.count
            expectEqual(control["titles"]?.items?.count, values, "\(id)")
            expectEqual(control["symbols"]?.items?.count, values, "\(id)")
        }
        #expect(
            ear.messages.allSatisfy {
                (try? JSONReader.read(Array($0.line.utf8), depth: 32)) != nil
            })
    }

    /// The page is told the rows that the panel shows, with the item that the panel is at work on.
    @Test func theRowsOfADisplayAreTold() throws {
        let plan = try ServedPanel.plan(
            "{panel: P, board: none, controls: {menu: {kind: pull-down, label: Tools, "
                + "display: {charlcd: /dev/lcd}, encoder: {a: A, b: B, push: C}, "
                + "items: [{name: Print, action: {run: [p], timeout: 9s}}, {name: Save}]}, "
                + "go: {kind: button, label: Start, input: D}}}")
        let bench = try HubBench(ServedPanel(plan, isSimulated: true))
        let (ear, _) = bench.listen()
        let first = ear.last("snapshot")?["state"]
        expectEqual(first?["menu"]?["display"]?.line, #"["Tools", ""]"#)
        expectEqual(first?["go"]?["display"], .null)
        _ = bench.panel.send(
            .fire(ControlID(0), Value(0), .web, isConfirmed: true, request: .none))
        bench.pass(.seconds(1))
        let second = ear.last("state")?["state"]?["menu"]
        expectEqual(second?["display"]?.line, #"["Tools", "Print…"]"#, "\(ear.messages)")
    }

    private func described(_ controls: String, _ id: String) throws -> JSONValue {
        let plan = try ServedPanel.plan("panel: Words\nboard: none\ncontrols:\n" + controls)
        return ControlDescription(try #require(plan.control(named: id)), of: plan).json
    }

    @Test func aSwitchIsDescribed() throws {
        let json = try described(
            """
              main: {kind: switch, label: Main, input: M}
              it:
                kind: switch
                label: Valve
                states: {on: Open, off: Closed}
                input: I
                indicator: {red: R, green: G}
                output: O
                confirm: {guard: C}
                enabled-when: main is on
                group: water
                row: 2
                debounce: {algorithm: asymmetric, press: 5ms, release: 8ms}
            """, "it")
        #expect(json["part"]?.text == "lever" && json["latch"] == .null)
        expectEqual(json["mismatch"]?.text, "follow")
        #expect(json["group"]?.text == "water" && json["row"]?.whole == 2)
        expectEqual(json["values"]?.line, #"["off", "on"]"#)
        expectEqual(json["titles"]?.line, #"["Closed", "Open"]"#)
        expectEqual(json["confirm"]?.line, #"{"by": "guard", "time": null, "remote": false}"#)
        expectEqual(json["cover"]?.truth, true)
        expectEqual(json["enabledWhen"]?.text, "main is on")
        expectEqual(json["hasAction"]?.truth, false)
        expectEqual(json["lamp"]?.line, #"{"style": "two-color", "lines": ["R", "G"]}"#)
        let lines = (json["lines"]?.items ?? []).map { line in
            [line["name"], line["use"], line["part"], line["debounce"]]
                .map { $0?.text ?? "-" }.joined(separator: " ")
        }
        expectEqual(
            lines.sorted(),
            [
                "C contact cover defer 20ms", "G lamp green -",
                "I contact input asymmetric 5ms 8ms", "O output output -", "R lamp red -",
            ])
    }

    @Test func partsOfLinesHaveTheirWords() throws {
        let controls = """
              knob: {kind: radio-group, label: Knob, selector: [S1, S2, S3], options: [A, B, C]}
              lever: {kind: three-way, label: Lever, lever: {up: U, down: D}}
              row:
                kind: radio-group
                label: Row
                buttons: [B1, B2]
                options: [{name: Eco, indicator: L1, output: O1}, {name: Boost, indicator: L2}]
              dial:
                kind: dial
                label: Dial
                encoder: {a: EA, b: EB, push: EP}
                range: {min: 0, max: 9}
            """
        let cases = [
            ("knob", "selector", ["A", "B", "C"]), ("lever", "lever", ["down", "up"]),
            ("row", "buttons", ["Eco", "Boost", "Eco", "Boost", "Eco"]),
            ("dial", "encoder", ["a", "b", "push"]),
        ]
        for (id, part, words) in cases {
            let json = try described(controls, id)
            expectEqual(json["part"]?.text, part, "\(id)")
            expectEqual(json["lines"]?.items?.compactMap { $0["part"]?.text }, words, "\(id)")
        }
        expectEqual(try described(controls, "dial")["buttons"]?.line, #"["push"]"#)
        expectEqual(
            try described(controls, "dial")["range"]?.line,
            #"{"min": 0, "max": 9, "step": 1, "decimals": 0, "wrap": false}"#)
    }

    // MARK: States

    private func state(_ bench: HubBench, _ id: String) throws -> JSONValue {
        bench.pass(.seconds(1))
        let control = try #require(bench.panel.plan.control(named: id))
        return bench.hub.stateJSON(control)
    }

    private func bench(_ controls: String) throws -> (HubBench, RecordingListener) {
        let plan = try ServedPanel.plan("panel: Words\nboard: none\ncontrols:\n" + controls)
        let bench = try HubBench(ServedPanel(plan))
        return (bench, bench.listen().0)
    }

    @Test func coloursFollowTheCondition() throws {
        let (bench, _) = try bench(
            """
              it:
                kind: toggle-button
                label: It
                input: I
                indicator: {red: R, green: G}
                action: {run: [act], timeout: 5s}
            """)
        let it = ControlID(0)
        expectEqual(try state(bench, "it")["color"], .null, "off has no light")
        bench.panel.handle(.intent(it, .on, .panel))
        expectEqual(try state(bench, "it")["color"]?.text, "green")
        bench.panel.finish(.failed(.exit(3)))
        expectEqual(try state(bench, "it")["reason"]?.text, "exit 3")
        expectEqual(try state(bench, "it")["color"]?.text, "red")
    }

    @Test func ofALampForEachOptionOneIsLit() throws {
        let (bench, _) = try bench(
            """
              it:
                kind: radio-group
                label: It
                buttons: [B1, B2]
                options: [{name: Eco, indicator: L1}, {name: Boost, indicator: L2}]
            """)
        expectEqual(try state(bench, "it")["lit"], .integer(0))
        bench.panel.handle(.intent(ControlID(0), Value(1), .panel))
        expectEqual(try state(bench, "it")["lit"], .integer(1))
        let button = try #require(bench.panel.plan.line(named: "B2"))
        bench.panel.handle(.reading(button, .inactive), .edge(button, .active, sequence: 1), .tick)
        expectEqual(try state(bench, "it")["pressed"]?.line, "[1]")
    }

    @Test func aDimmerDimsEveryLamp() throws {
        let text = """
            panel: Words
            board: none
            dimmer: light
            controls:
              light:
                kind: dial
                label: Light
                encoder: {a: A, b: B}
                range: {min: 0, max: 200}
                default: 200
              it: {kind: switch, label: It, input: I, indicator: {line: L, brightness: 80%}}
            """
        let bench = try HubBench(ServedPanel(ServedPanel.plan(text)))
        let (ear, _) = bench.listen()
        expectEqual(try state(bench, "it")["brightness"]?.whole, 80)
        ear.forget()
        bench.panel.handle(.intent(bench.panel.control("light"), Value(100), .panel))
        bench.pass(.seconds(1))
        expectEqual(ear.last("state")?["state"]?["it"]?["brightness"]?.whole, 40, "told at once")
    }

    @Test func outputsAreNamed() throws {
        let (bench, _) = try bench(
            """
              it:
                kind: radio-group
                label: It
                buttons: [B1, B2, B3]
                options: [{name: Off}, {name: Low, output: O1}, {name: High, output: O2}]
            """)
        bench.panel.pass(.seconds(1))
        bench.panel.handle(.intent(ControlID(0), Value(2), .panel))
        bench.panel.pass(.seconds(1))
        expectEqual(try state(bench, "it")["outputs"]?.line, #"["O2"]"#)
        let description = ControlDescription(ControlID(0), of: bench.panel.plan).json
        let outputs = description["lines"]?.items?.filter { $0["use"]?.text == "output" }
        expectEqual(outputs?.compactMap { $0["part"]?.text }, ["Low", "High"])
    }
}

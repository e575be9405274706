import DetentCore
import DetentPanel
import DetentTrace
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// What a panel does as a trace: which signals there are, and when each changes to what.
@Suite struct PanelTraceTests {
    private let plan: PanelPlan

    init() throws {
        plan = try Self.plan(
            """
            lever:
              kind: switch
              label: Lever
              input: {line: IN, active: low}
              indicator: {line: LAMP, active: high}
            dial: {kind: dial, label: Dial, encoder: {a: A, b: B}, range: {min: -9, max: 9.75}}
            go: {kind: button, label: Go, input: {line: GO, active: high}}
            """)
    }

    private static func plan(_ controls: String) throws -> PanelPlan {
        let rows = controls.split(separator: "\n").map { "  \($0)\n" }.joined()
        let text = "panel: P\nboard: none\ncontrols:\n" + rows
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems.map(\.text))")
    }

    private func at(_ nanoseconds: UInt64) -> Instant { Instant(nanoseconds: nanoseconds) }

    private func control(_ id: String) throws -> ControlID { try #require(plan.control(named: id)) }

    private func line(_ name: String) throws -> LineID {
        LineID(UInt16(try #require(plan.lines.firstIndex { $0.name == name })))
    }

    /// A trace as text: the declared signals, and what changes after the start, with their names.
    private func read(_ trace: TraceMemory) -> (signals: [String], changes: [String]) {
        var scope = ""
        var signals: [String] = []
        var names: [Substring: String] = [:]
        var changes: [String] = []
        var isAfterStart = false
        for row in String(decoding: trace.bytes, as: UTF8.self).split(separator: "\n") {
            let words = row.split(separator: " ")
            if words[0] == "$scope" { scope = String(words[2]) }
            if words[0] == "$var" {
                names[words[3]] = "\(scope).\(words[4])"
                signals.append("\(words[1]) \(scope).\(words[4])")
            }
            defer { if row == "$end" { isAfterStart = true } }
            guard isAfterStart else { continue }
            if words.count == 2 {
                changes.append("\(names[words[1]] ?? "?")=\(words[0].dropFirst())")
            } else if row.hasPrefix("#") {
                changes.append(String(row))
            } else {
                changes.append("\(names[row.dropFirst()] ?? "?")=\(row.prefix(1))")
            }
        }
        return (signals, changes)
    }

    /// What a trace has after its declarations.
    private func changes(
        from origin: Instant = .zero, until end: UInt64 = 0,
        _ body: (inout PanelTrace<TraceMemory>) throws -> Void
    ) throws -> [String] {
        var trace = try PanelTrace(plan, to: TraceMemory(), from: origin)
        try body(&trace)
        return read(try trace.finish(at: origin + TimeSpan(nanoseconds: end))).changes
    }

    /// The state of a control in a loop that has begun.
    private func snapshot(_ id: String) throws -> ControlSnapshot {
        let rig = try LoopRig(plan, ScriptedBackend())
        _ = rig.open()
        rig.start()
        return try #require(rig.snapshot(id))
    }

    @Test func eachControlHasItsSignals() throws {
        let trace = try PanelTrace(plan, to: TraceMemory())
        let signals = read(try trace.finish(at: .zero)).signals
        expectEqual(
            signals,
            [
                "wire lever.IN", "wire lever.IN_contact", "wire lever.LAMP", "string lever.value",
                "string lever.phase", "string lever.indicator", "wire dial.A",
                "wire dial.A_contact",
                "wire dial.B", "wire dial.B_contact", "real dial.value", "string dial.phase",
                "wire go.GO", "wire go.GO_contact", "string go.phase",
            ])
    }

    /// A line may be called as the contact of another one, or as what a control has anyway.
    @Test func aNameThatIsTakenGetsAnotherEnd() throws {
        let plan = try Self.plan(
            """
            radio:
              kind: radio-group
              label: R
              selector: [A, A_contact, value]
              options: [x, y, z]
            other: {kind: switch, label: O, input: phase}
            """)
        let layout = TraceLayout(plan)
        expectEqual(
            layout.signals.map { "\($0.scope).\($0.name)" },
            [
                "radio.A", "radio.A_contact", "radio.A_contact_", "radio.A_contact_contact",
                "radio.value", "radio.value_contact", "radio.value_", "radio.phase", "other.phase",
                "other.phase_contact", "other.value", "other.phase_",
            ])
        expectEqual(layout.lines, [0, 2, 4, 8])
        expectEqual(layout.contacts, [1, 3, 5, 9])
        expectEqual(layout.controls.map(\.value), [6, 10])
        expectEqual(layout.controls.map(\.phase), [7, 11])
        expectEqual(layout.controls.map(\.indicator), [nil, nil])
    }

    /// A button and a group of commands have no value.
    @Test func eventsHaveNoValue() throws {
        let plan = try Self.plan(
            """
            go: {kind: button, label: Go, input: GO}
            menu:
              kind: pull-down
              label: M
              display: {charlcd: /dev/lcd}
              encoder: {a: A, b: B, push: C}
              items:
                - {name: Up, action: {run: [x], timeout: 1s}}
                - {name: Down, action: {run: [y], timeout: 1s}}
            """)
        let layout = TraceLayout(plan)
        expectEqual(layout.controls.map(\.value), [nil, nil])
        #expect(!layout.signals.contains { $0.name == "value" })
    }

    /// The wires are electrical, and what begins as inactive is high where active is low.
    @Test func linesHaveTheirElectricalLevels() throws {
        let (input, lamp) = (try line("IN"), try line("LAMP"))
        expectEqual(
            try changes(until: 9) { trace in
                try trace.start(at: at(1))
                try trace.line(input, .active, at: at(2))
                try trace.line(lamp, .active, at: at(3))
                try trace.line(input, .inactive, at: at(4))
                try trace.line(lamp, .inactive, at: at(5))
                try trace.line(LineID(UInt16(plan.lines.count)), .active, at: at(6))
            },
            [
                "#1", "lever.LAMP=0", "#2", "lever.IN=0", "#3", "lever.LAMP=1", "#4", "lever.IN=1",
                "#5", "lever.LAMP=0", "#9",
            ])
    }

    /// After debounce, 1 is closed, whatever the wire is; lamps have no contact.
    @Test func aContactIsClosedOrOpen() throws {
        let (input, lamp) = (try line("IN"), try line("LAMP"))
        expectEqual(
            try changes { trace in
                try trace.contact(input, .active, at: at(2))
                try trace.contact(lamp, .active, at: at(3))
                try trace.contact(LineID(UInt16(plan.lines.count)), .active, at: at(4))
                try trace.contact(input, .inactive, at: at(5))
            }, ["#2", "lever.IN_contact=1", "#5", "lever.IN_contact=0"])
    }

    /// Each control that is shown has its own contacts, by their place in it.
    @Test func aSnapshotShowsAllOfAControl() throws {
        var dial = try snapshot("dial")
        dial.closedContacts = 2
        dial.desired = Value(-225)
        var lever = try snapshot("lever")
        lever.desired = .on
        lever.phase = .failed
        lever.pattern = .doubleWink
        lever.closedContacts = 1
        let (dialID, leverID) = (try control("dial"), try control("lever"))
        let none = ControlID(UInt16(plan.controls.count))
        expectEqual(
            try changes { trace in
                try trace.control(dialID, dial, at: at(1))
                try trace.control(leverID, lever, at: at(2))
                try trace.control(none, lever, at: at(3))
            },
            [
                "#1", "dial.A_contact=0", "dial.B_contact=1", "dial.value=-2.25", "dial.phase=idle",
                "#2", "lever.IN_contact=1", "lever.value=on", "lever.phase=failed",
                "lever.indicator=double-wink",
            ])
    }

    @Test func reportsChangeWhatTheyAreAbout() throws {
        let (dial, lever, go) = (try control("dial"), try control("lever"), try control("go"))
        let none = ControlID(UInt16(plan.controls.count))
        func report(_ control: ControlID, _ kind: Report.Kind) -> Report {
            Report(control: control, kind: kind)
        }
        expectEqual(
            try changes { trace in
                try trace.report(report(dial, .changed(Value(975), .panel)), at: at(1))
                try trace.report(report(lever, .changed(.off, .web)), at: at(2))
                try trace.report(report(lever, .phase(.pending, .none)), at: at(3))
                try trace.report(report(lever, .indicator(.wink)), at: at(4))
                try trace.report(report(lever, .confirmed(.on)), at: at(5))
                try trace.report(report(lever, .pressed), at: at(6))
                try trace.report(report(none, .phase(.pending, .none)), at: at(7))
                // A button has no value, and a dial without lamps no indicator.
                try trace.report(report(go, .changed(.on, .panel)), at: at(8))
                try trace.report(report(dial, .indicator(.wink)), at: at(9))
            },
            [
                "#1", "dial.value=9.75", "#2", "lever.value=off", "#3", "lever.phase=pending",
                "#4", "lever.indicator=wink",
            ])
    }

    @Test func whatIsNotKnownIsSaidSo() throws {
        let (dial, lever) = (try control("dial"), try control("lever"))
        let changes = try changes { trace in
            for (control, value) in [(dial, Value(100)), (lever, .on)] {
                let report = Report(control: control, kind: .changed(value, .panel))
                try trace.report(report, at: at(1))
            }
            for control in [dial, lever] {
                let report = Report(control: control, kind: .changed(.unknown, .panel))
                try trace.report(report, at: at(2))
            }
        }
        expectEqual(
            changes,
            ["#1", "dial.value=1.0", "lever.value=on", "#2", "dial.value=nan", "lever.value=?"])
    }

    /// A panel that has ended shows nothing until it starts again.
    @Test func theEndIsUnknown() throws {
        let (input, lever) = (try line("IN"), try control("lever"))
        expectEqual(
            try changes(until: 5) { trace in
                try trace.start(at: at(0))
                try trace.contact(input, .active, at: at(1))
                let report = Report(control: lever, kind: .changed(.on, .panel))
                try trace.report(report, at: at(1))
                try trace.end(at: at(3))
                try trace.start(at: at(4))
            },
            [
                "lever.LAMP=0", "#1", "lever.IN_contact=1", "lever.value=on", "#3",
                "lever.IN_contact=x", "lever.LAMP=x", "lever.value=?", "#4", "lever.LAMP=0", "#5",
            ])
    }

    /// The trace begins at its origin; what was before counts as its beginning.
    @Test func timesBeginAtTheOrigin() throws {
        let input = try line("IN")
        expectEqual(
            try changes(from: at(1_000), until: 7) { trace in
                try trace.contact(input, .active, at: at(900))
                try trace.contact(input, .inactive, at: at(1_003))
            }, ["lever.IN_contact=1", "#3", "lever.IN_contact=0", "#7"])
    }

    /// A reader that follows the file sees what was flushed, not what comes later.
    @Test func whatIsFlushedIsWritten() throws {
        let pieces = Pieces()
        var trace = try PanelTrace(plan, to: pieces.output)
        try trace.flush()
        let begun = pieces.bytes
        #expect(begun.count > 100)
        try trace.start(at: at(5))
        expectEqual(pieces.bytes, begun)
        try trace.flush()
        #expect(String(decoding: pieces.bytes.dropFirst(begun.count), as: UTF8.self) == "#5\n0&\n")
        _ = try trace.finish(at: at(5))
    }

    /// Bytes as they come out of a trace.
    private final class Pieces {
        private(set) var bytes: [UInt8] = []

        struct Output: TraceOutput {
            let pieces: Pieces
            mutating func write(_ bytes: [UInt8]) { pieces.bytes += bytes }
        }

        var output: Output { Output(pieces: self) }
    }
}

import DetentCore
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import Testing

@testable import DetentRuntime

/// The threads of displays, with FIFOs in the place of the devices.
@Suite struct DisplayWriterTests {
    /// A FIFO with a reader that keeps it open, removed at the end.
    private final class FIFO {
        let path: String
        let reader: Int32

        init() throws {
            var template = Array("/tmp/detent-display-XXXXXX".utf8CString)
            let file = template.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { mkstemp($0) } ?? -1
            }
            path = String(
                decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            close(file)
            unlink(path)
            try #require(mkfifo(path, 0o600) == 0)
            reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        }

        deinit {
            close(reader)
            unlink(path)
        }

        /// Whether a text comes within ten seconds.
        func says(_ text: String) -> Bool {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            for _ in 0..<100 {
                var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
                _ = poll(&entry, 1, 100)
                let count = read(reader, &buffer, buffer.count)
                if count > 0 { bytes += buffer[..<count] }
                if String(decoding: bytes, as: UTF8.self).contains(text) { return true }
            }
            return false
        }
    }

    private func plan(_ first: FIFO, _ second: FIFO) throws -> PanelPlan {
        let dial = { (id: String, lines: String, display: String) in
            "  \(id): {kind: dial, label: \(id), \(lines), range: {min: 0, max: 9}, "
                + "display: \(display)}\n"
        }
        let text =
            "panel: P\nboard: none\ndisplays:\n"
            + "  one: {charlcd: \(first.path), return-after: 50ms}\n"
            + "  two: {charlcd: \(second.path)}\ncontrols:\n"
            + dial("a", "encoder: {a: A, b: B}", "one")
            + dial("b", "encoder: {a: C, b: D}", "one")
            + dial("c", "encoder: {a: E, b: F}", "two")
        return try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
    }

    private func report(_ control: UInt16, _ value: Int32, _ origin: Origin) -> TimedReport {
        TimedReport(
            report: Report(control: ControlID(control), kind: .changed(Value(value), origin)),
            at: MonotonicClock.now)
    }

    @Test func theNewestIsShownAndThenTheFirstWithoutAReport() throws {
        let (one, two) = (try FIFO(), try FIFO())
        let writer = try DisplayWriter(of: try plan(one, two))
        writer.record(report(0, 3, .startup))
        #expect(one.says("[Lx0y1;3 "))
        writer.record(report(1, 7, .panel))
        #expect(one.says("[Lx0y0;b "))
        #expect(one.says("[Lx0y0;a "))
        #expect(writer.stop(within: .seconds(5)))
        #expect(one.says("[Lx0y0;    "), "it is cleared")
    }

    /// A display that takes nothing delays no other, and neither a report nor the end.
    @Test func aStuckDisplayDelaysNoOther() throws {
        let (one, two) = (try FIFO(), try FIFO())
        // Full before anything is written.
        let filler = [UInt8](repeating: 0x20, count: 4_096)
        while write(one.reader, filler, filler.count) > 0 {}
        let writer = try DisplayWriter(of: try plan(one, two))
        for value in 0..<200 { writer.record(report(0, Int32(value % 10), .panel)) }
        writer.record(report(2, 5, .panel))
        #expect(two.says("[Lx0y1;5 "))
        #expect(writer.stop(within: .seconds(5)))
    }

    // MARK: Reloads

    private func reloaded(
        _ displays: PanelDisplays, _ former: PanelPlan, _ text: String
    ) throws -> PanelPlan {
        let plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        displays.replacePlan(plan, PanelDifference(from: former, to: plan))
        displays.settle(displays.following)
        return plan
    }

    private func text(_ controls: String..., display: String) -> String {
        "panel: P\nboard: none\ndisplays:\n  one: {\(display)}\ncontrols:\n"
            + controls.joined()
    }

    private static func dial(_ id: String, _ lines: String) -> String {
        "  \(id): {kind: dial, label: \(id), encoder: {\(lines)}, range: {min: 0, max: 9}, "
            + "display: one}\n"
    }

    /// The display is not cleared, and knows what it showed; the place of a control may change.
    @Test func aReloadKeepsADisplay() throws {
        let one = try FIFO()
        let device = "charlcd: \(one.path)"
        let (a, b) = (Self.dial("a", "a: A, b: B"), Self.dial("b", "a: C, b: D"))
        let text = text(a, display: device)
        let former = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        let displays = try PanelDisplays(former, guardian: nil) { Issue.record("\($0)") }
        displays.record(report(0, 3, .startup))
        #expect(one.says("[Lx0y1;3 "))
        let plan = try reloaded(displays, former, self.text(b, a, display: device))
        var late = report(0, 8, .panel)
        displays.record(late)  // of the former panel
        late.panel = 1
        #expect(one.says("[Lx0y0;b "))
        displays.record(late)
        #expect(one.says("[Lx0y1;8 "))
        var own = report(1, 4, .panel)
        own.panel = 1
        displays.record(own)
        #expect(one.says("[Lx0y1;4 "))
        #expect(displays.isOn && plan.displays.count == 1)
        #expect(displays.stop(within: .seconds(10)))
    }

    /// Another device begins, and the former one is cleared.
    @Test func aReloadMovesADisplay() throws {
        let (one, two) = (try FIFO(), try FIFO())
        let a = Self.dial("a", "a: A, b: B")
        let text = text(a, display: "charlcd: \(one.path)")
        let former = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        let displays = try PanelDisplays(former, guardian: nil) { Issue.record("\($0)") }
        displays.record(report(0, 3, .startup))
        #expect(one.says("[Lx0y1;3 "))
        let plan = try reloaded(displays, former, self.text(a, display: "charlcd: \(two.path)"))
        #expect(one.says("[Lx0y1;   "))
        #expect(two.says("[Lx0y1;3 "), "what is known of the control stays")
        let none = "panel: P\nboard: none\ncontrols:\n" + a.replacing(", display: one", with: "")
        _ = try reloaded(displays, plan, none)
        #expect(two.says("[Lx0y1;   ") && !displays.isOn)
        #expect(displays.stop(within: .zero))
    }
}

extension DisplayWriter {
    fileprivate convenience init(of plan: PanelPlan) throws {
        try self.init(DisplayBoard(plan), plan.displays, nil, log: { _ in })
    }
}

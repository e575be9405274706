import DetentPanel
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentRuntime

/// What a reloaded panel keeps that its file does not say.
@Suite struct PanelReloaderTests {
    private static func reading(_ label: String) -> PanelReloader.Reading {
        let text = """
            panel: P
            board: none
            controls:
              a: {kind: switch, label: \(label), input: A}
            """
        return .init(
            plan: PanelReader.read(SourceText(file: "p.yaml", text: text)).plan, problems: "")
    }

    /// The names come from the command line, so a later file has them, too.
    @Test func callersKeepTheirNames() throws {
        var plan = try #require(Self.reading("Fan").plan)
        plan.callers = ["kitchen"]
        let seen = Mutex<[PanelPlan]>([])
        let label = Mutex("Fan")
        let reloader = PanelReloader(
            plan, file: "p.yaml", read: { Self.reading(label.withLock { $0 }) },
            change: { change in
                seen.withLock { $0.append(change.plan) }
                return .changed
            }, words: { _ in "" })
        expectEqual(reloader.reload().result, .unchanged)
        for name in ["Pump", "Valve"] {
            label.withLock { $0 = name }
            expectEqual(reloader.reload().result, .changed)
        }
        expectEqual(seen.withLock { $0.map(\.callers) }, [["kitchen"], ["kitchen"]])
    }
}

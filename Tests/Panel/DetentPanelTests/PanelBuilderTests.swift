import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

@Suite struct PanelBuilderTests {
    /// Work that is done later holds the builder; if the builder kept it, no reading would ever be
    /// freed.
    @Test func nothingIsKeptOfAReading() {
        weak var kept: PanelBuilder?
        var performed = 0
        do {
            let log = ProblemLog(SourceText(file: "panel.yaml", bytes: []))
            let builder = PanelBuilder(
                log: log, schema: .builtIn, ground: .none, patterns: PatternChoice(), colors: nil,
                free: [], hasBroker: false, broker: nil)
            kept = builder
            builder.later { _ in
                performed += builder.lines.count + 1
                builder.later { _ in performed += 10 }
            }
            builder.performLater(PanelRelations([], log: log))
            expectEqual(performed, 1)
            builder.performLater(PanelRelations([], log: log))
            expectEqual(performed, 11)
        }
        #expect(kept == nil)
    }
}

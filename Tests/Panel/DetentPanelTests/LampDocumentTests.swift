import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// What docs/indicators.md says is so.
@Suite struct LampDocumentTests {
    static func page() throws -> String {
        let bytes = try SourceText.read(file: Repository.path("docs/indicators.md")).bytes
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The first cells of the rows of a table, without quotes.
    static func rows(_ text: String) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map {
                String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                    .replacing("`", with: "")
            }
        }
    }

    @Test func conditionsAreAsDeclared() throws {
        let rows = Self.rows(try Self.page()).filter { $0.count == 4 }
        let expected = LampCondition.allCases.map {
            [$0.word, PatternChoice()[$0].word, ColorChoice()[$0].word]
        }
        expectEqual(rows.map { [$0[0], $0[2], $0[3]] }, expected)
    }

    @Test func everyPatternIsDescribed() throws {
        let named = Self.rows(try Self.page()).filter { $0.count == 2 }.map { $0[0] }
        expectEqual(named, Pattern.allCases.map(\.word).filter { $0 != "off" && $0 != "steady" })
    }

    @Test func currentsAreThoseOfTheBoards() throws {
        let (board, _) = BoardCatalogue.builtIn.board(named: "raspberry-pi-4b")
        let budget = try #require(board?.current)
        #expect(try Self.page().contains("\(budget.line) mA on one line and \(budget.total) mA"))
    }

    /// The recipe is short, free of problems, and does what the text above it says.
    @Test func theRecipeWorks() throws {
        let page = try Self.page()
        let began = try #require(page.firstRange(of: "```yaml\n")).upperBound
        let ended = try #require(page[began...].firstRange(of: "```\n")).lowerBound
        let recipe = String(page[began..<ended])
        #expect(recipe.split(separator: "\n").count <= 40)
        let reading = PanelReader.read(SourceText(file: "fan.yaml", text: recipe))
        expectEqual(ProblemRenderer.text(reading.problems), "")
        let plan = try #require(reading.plan)
        let storage = EngineStorage(for: plan.capacity)
        var engine = try plan.makeEngine(in: storage)
        var lit: Set<String> = []
        func handle(_ event: Event, _ millisecond: UInt64) {
            engine.handle(event, at: .zero + .milliseconds(millisecond)) { effect, _ in
                guard case .indicate(let line, let level) = effect else { return }
                let name = plan.lines[Int(line.index)].name
                if level == .active { lit.insert(name) } else { lit.remove(name) }
            }
        }
        func line(_ name: String) throws -> LineID {
            LineID(UInt16(try #require(plan.lines.firstIndex { $0.name == name })))
        }
        handle(.start, 0)
        expectEqual(lit, [])
        handle(.intent(ControlID(0), .on, .web), 1_000)
        expectEqual(lit, ["GPIO23"], "green while it is on")
        handle(.tick, 1_008)
        expectEqual(lit, [], "80 % of 10 ms are over")
        handle(.edge(try line("GPIO13"), .active, sequence: 0), 1_030)
        handle(.tick, 1_031)
        expectEqual(lit, ["GPIO22", "GPIO23", "GPIO24"], "every lamp while the button is pressed")
        handle(.edge(try line("GPIO13"), .inactive, sequence: 0), 1_050)
        handle(.tick, 1_070)
        expectEqual(lit, ["GPIO23"])
        handle(.intent(ControlID(2), Value(10), .web), 1_080)
        handle(.tick, 1_083)
        expectEqual(lit, ["GPIO23"])
        handle(.tick, 1_084)
        expectEqual(lit, [], "half of 80 %")
        handle(.intent(ControlID(2), Value(0), .web), 1_090)
        handle(.tick, 1_091)
        expectEqual(lit, [])
        handle(.actionFinished(ControlID(0), RunID(1), .failed(.exit(1))), 1_095)
        handle(.intent(ControlID(2), Value(20), .web), 1_100)
        handle(.tick, 1_294)
        expectEqual(lit, ["GPIO22"], "red when it failed: the first flash over off")
        handle(.tick, 1_300)
        expectEqual(lit, [], "and dark again")
    }
}

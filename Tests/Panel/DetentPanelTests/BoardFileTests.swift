import TestSupport
import Testing

@testable import DetentPanel

/// The files of boards, and what is wrong with them.
@Suite struct BoardFileTests {
    private static let text = """
        id: odd
        name: Odd
        soc: none
        detect: {compatible: [x], model: [Odd]}
        logic_voltage: '3.3'
        current_ma: {line: 4, total: 20}
        chips:
          c: {labels: [c], lines: 2, edges: all, bias: works}
        headers:
          H:
            pins:
              1: {kind: gpio, name: A, chip: c, line: 1, bus: SPI0_CE0}
              2: {kind: ground, name: GND}
              200: {kind: gpio-unverified, name: B, chip: c, line: 0, input_only: true}

        """

    private static func read(_ text: String) -> (board: Board?, problems: [Problem]) {
        BoardCatalogue(sources: [SourceText(file: "boards/odd.yaml", text: text)])
            .board(named: "odd")
    }

    @Test func aBoardIsRead() throws {
        let (found, problems) = Self.read(Self.text)
        expectEqual(ProblemRenderer.text(problems), "")
        let board = try #require(found)
        expectEqual(board.logicMillivolts, 3_300)
        expectEqual(board.logicVoltage, "3.3 V")
        expectEqual(board.current, BoardCurrent(line: 4, total: 20))
        expectEqual(board.models, ["Odd"])
        expectEqual(board.headers[0].pins.map(\.number), [1, 2, 200])
        expectEqual(board.headers[0].pins.map(\.isInputOnly), [false, false, true])
        expectEqual(board.headers[0].pins.map(\.hasInterrupt), [true, true, true])
        expectEqual(board.headers[0].pins[0].defaultFunction, "spi0")
        #expect(board.headers[0].pins[1].defaultFunction == nil)
        expectEqual(board.functionNames, ["spi0"])
    }

    static let wrong: [(old: String, new: String, cause: String)] = [
        ("id: odd", "id: even", "the board's id is `even`, and its file is named `odd`"),
        ("name: Odd\n", "", "no `name`"),
        ("soc: none", "socket: none", "unknown key `socket`"),
        (
            "chips:\n  c: {labels: [c], lines: 2, edges: all, bias: works}", "chips: {}",
            "`chips` is missing or empty"
        ),
        ("labels: [c]", "labels: c", "`labels` must be a list, not text"),
        (
            "{labels: [c], lines: 2, edges: all, bias: works}", "[c]",
            "`c` must be a map, not a list"
        ),
        ("edges: all, ", "", "no `edges`"),
        ("kind: ground, ", "", "no `kind`"),
        ("200:", "201:", "`pin` is 201"),
        ("1: {kind", "0: {kind", "`pin` is 0"),
        ("chip: c, line: 1", "chip: d, line: 1", "no chip `d`"),
        ("chip: c, line: 1", "chip: c, line: 2", "line 2 of a chip with 2 lines"),
        ("chip: c, line: 1", "chip: c", "pin 1 is a line without `chip` and `line`"),
        ("{line: 4, total: 20}", "{line: 4, all: 20}", "unknown key `all`"),
    ]

    @Test(arguments: wrong) func aMistakeIsNamed(old: String, new: String, cause: String) {
        expectEqual(Self.text.ranges(of: old).count, 1)
        let (board, problems) = Self.read(Self.text.replacing(old, with: new))
        #expect(board == nil)
        #expect(problems.map(\.text).contains(cause), "\(problems.map(\.text))")
    }

    /// A panel says which board file is wrong, and where.
    @Test func aPanelNamesTheMistakeOfItsBoard() {
        let boards = BoardCatalogue(sources: [
            SourceText(file: "boards/odd.yaml", text: Self.text.replacing("name: Odd\n", with: ""))
        ])
        let reading = PanelReader.read(
            SourceText(file: "p", text: "panel: P\nboard: odd\ncontrols: {c: {\(Base.button)}}"),
            boards: boards)
        expectEqual(
            reading.problems.map(\.text),
            [
                "the board file of `odd` has an error at boards/odd.yaml:1: no `name`"
            ])
    }

    /// A line that supplies too little for one lamp, and a board that does for all of them.
    @Test(arguments: [
        (4, 1, nil), (5, 1, "a lamp draws 5mA, but one line of odd supplies 4mA"), (5, 0, nil),
        (3, 2, nil),
    ])
    func lampsDrawCurrent(each: Int, count: Int, cause: String?) {
        let text = Self.text.replacing("{line: 4, total: 20}", with: "{line: 4, total: 6}")
            .replacing(", input_only: true", with: "").replacing("gpio-unverified", with: "gpio")
        let lamps = (0..<count).map {
            "l\($0): {kind: indicator, label: L\($0), show: c, indicator: \(["A", "B"][$0])}"
        }
        let controls = ["c: {kind: button, label: Go, input: {chip: e, offset: 0}}"] + lamps
        let reading = PanelReader.read(
            SourceText(
                file: "p",
                text: "{panel: P, board: odd, lamp-current: \(each)mA, controls: "
                    + "{\(controls.joined(separator: ", "))}}"),
            boards: BoardCatalogue(sources: [SourceText(file: "boards/odd.yaml", text: text)]))
        let found = reading.problems.filter { $0.rule == .lampCurrent }
        expectEqual(found.map(\.text), [cause].compactMap { $0 })
    }

    @Test func thePinoutIsDrawn() throws {
        let text = Self.text.replacing("200:", with: "3:")
        let board = try #require(Self.read(text).board)
        expectEqual(
            Pinout.text(board),
            """
            Odd (odd), logic 3.3 V

            H
              A (SPI0_CE0) *   1 o o  2  GND
                         B ?   3

            * has another function by the header's convention, or a warning   ? unverified

            """)
    }
}

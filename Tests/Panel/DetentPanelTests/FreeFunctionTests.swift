import TestSupport
import Testing

@testable import DetentPanel

/// Functions of a board that its owner has switched off.
@Suite struct FreeFunctionTests {
    private func problems(_ board: String) -> [Problem] {
        let text = """
            panel: Free
            board: \(board)
            controls:
              chip-select: {kind: button, label: Select, input: GPIO8}
              console: {kind: button, label: Console, input: GPIO14}
              eeprom: {kind: button, label: Eeprom, input: GPIO0}
            """
        return PanelReader.read(SourceText(file: "free.yaml", text: text)).problems
    }

    private func lines(_ problems: [Problem]) -> [Int] {
        problems.filter { $0.rule == .pinHasFunction }.map(\.place.line)
    }

    @Test func freeFunctionsAreNotWarnedAbout() {
        expectEqual(lines(problems("raspberry-pi-5")), [4, 5, 6])
        expectEqual(lines(problems("{name: raspberry-pi-5}")), [4, 5, 6])
        expectEqual(lines(problems("{name: raspberry-pi-5, free: [spi0]}")), [5, 6])
        expectEqual(lines(problems("{name: raspberry-pi-5, free: [uart0, spi0]}")), [6])
        // The EEPROM of a HAT is on the pin also while the bus is off.
        expectEqual(lines(problems("{name: raspberry-pi-5, free: [uart0, spi0, i2c0]}")), [6])
    }

    @Test func unknownFunctionsAreErrors() throws {
        let all = problems("{name: raspberry-pi-5, free: [spi, uart0]}")
        let error = try #require(all.first { $0.severity == .error })
        #expect(error.rule == .unknownWord && error.help.contains("spi0"))
        #expect(problems("{free: [spi0]}").contains { $0.severity == .error })
        #expect(problems("{name: raspberry-pi-5, free: spi0}").contains { $0.severity == .error })
    }
}

import DetentPanel
import DetentPlatform
import TestSupport
import Testing

@testable import DetentRuntime

/// The bytes that displays get.
@Suite struct DisplayFormTests {
    @Test func aRowOfLettersIsPlacedAndPadded() {
        let screen = CharacterScreen(columns: 8)
        expectEqual(
            String(decoding: screen.row(1, "Tools"), as: UTF8.self), "\u{1B}[Lx0y1;Tools   ")
        expectEqual(screen.row(0, "12 \\Ω…").suffix(8), [49, 50, 32, 5, 3, 0, 32, 32])
        expectEqual(screen.row(0, "Straße 12").suffix(8), Array("Stra?e 1".utf8))
    }

    /// The kernel takes a command of at most 24 characters after the escape, and has room for eight
    /// letters of ours.
    @Test func commandsOfTheOpeningAreThoseOfTheKernel() throws {
        let commands = CharacterScreen.opening.split(separator: 0x1B).dropFirst()
        expectEqual(CharacterScreen.opening.first, UInt8(ascii: "\n"))
        for bytes in commands {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.utf8.count <= 24)
            #expect(
                ["[LD", "[Lc", "[Lb", "[L+"].contains(text)
                    || text.wholeMatch(of: /\[LG[0-7][0-9a-f]{16};/) != nil, "\(text)")
        }
    }

    /// Every letter that can come has a form of its own.
    @Test func theFontIsWhole() {
        let letters = (32..<127).map { Character(UnicodeScalar($0)) } + DisplayLetters.signs
        let forms = letters.map { Array(DisplayFont.rows($0)) }
        #expect(forms.allSatisfy { $0.count == 7 && $0.allSatisfy { $0 < 32 } })
        expectEqual(Set(forms).count, forms.count)
        expectEqual(DisplayFont.rows("語"), DisplayFont.rows("?"))
    }

    private func picture(_ screen: Framebuffer, _ rows: [String]) throws -> [String] {
        let columns = rows.map(\.count).max() ?? 1
        let dots = try #require(DotScreen(screen, columns: columns, rows: rows.count))
        let memory = dots.draw(rows)
        expectEqual(memory.count, screen.lineBytes * screen.height)
        return (0..<screen.height).map { y in
            (0..<screen.width).map { x in
                let bit = y * screen.lineBytes * 8 + x * screen.bits
                let isSet = memory[bit / 8] & (1 << UInt8(bit % 8)) != 0
                return isSet == (screen.lit != 0) ? "#" : "."
            }.joined()
        }
    }

    @Test func aLetterIsDrawnInDots() throws {
        let wanted = [
            "#####.", "..#...", "..#...", "..#...", "..#...", "..#...", "..#...", "......",
        ]
        for (bits, bytes, lit) in [
            (1, 1, UInt32(1)), (1, 1, 0), (16, 12, 0xFFFF), (32, 24, 0xFFFFFF),
        ] {
            let screen = Framebuffer(
                width: 6, height: 8, bits: bits, lineBytes: bytes, lit: lit)
            expectEqual(try picture(screen, ["T"]), wanted, "\(bits) bits, lit \(lit)")
        }
    }

    /// As large as it fits, at most twice as high as wide, and in the middle.
    @Test func lettersFillTheScreen() throws {
        let screen = Framebuffer(width: 16, height: 40, bits: 1, lineBytes: 2, lit: 1)
        let rows = try picture(screen, ["T"])
        #expect(rows[0..<4].allSatisfy { !$0.contains("#") })
        expectEqual(rows[4], "..##########....")
        expectEqual(rows[7], "..##########....")
        expectEqual(rows[8], "......##........")
        #expect(DotScreen(screen, columns: 3, rows: 1) == nil, "18 dots do not fit 16")
        #expect(DotScreen(screen, columns: 1, rows: 6) == nil, "48 dots do not fit 40")
    }
}

import DetentPanel
import DetentPlatform

/// Draws rows of letters into the memory of a screen of dots.
///
/// The letters are as large as the number of columns and rows allows, and at most twice as high as
/// wide. The text is in the middle of the screen.
struct DotScreen: Equatable {
    /// A letter with the gap to the next one.
    private static let cell = (width: DisplayFont.width + 1, height: DisplayFont.height + 1)

    private let screen: Framebuffer
    private let columns: Int
    private let rows: Int
    private let scale: (x: Int, y: Int)

    /// Nil if the letters do not fit, not even the smallest ones.
    init?(_ screen: Framebuffer, columns: Int, rows: Int) {
        let wide = screen.width / (columns * Self.cell.width)
        let high = screen.height / (rows * Self.cell.height)
        guard wide > 0, high > 0, screen.lineBytes * 8 >= screen.width * screen.bits else {
            return nil
        }
        self.screen = screen
        self.columns = columns
        self.rows = rows
        scale = (min(wide, high), min(high, 2 * min(wide, high)))
    }

    /// Where the memory begins that is shown.
    var offset: Int64 { Int64(screen.firstLine * screen.lineBytes) }

    /// The memory of the screen with these rows.
    func draw(_ texts: [String]) -> [UInt8] {
        let dark: UInt8 = screen.bits == 1 && screen.lit == 0 ? 0xFF : 0
        var memory = [UInt8](repeating: dark, count: screen.lineBytes * screen.height)
        let left = (screen.width - columns * Self.cell.width * scale.x) / 2
        let top = (screen.height - rows * Self.cell.height * scale.y) / 2
        for (row, text) in texts.prefix(rows).enumerated() {
            for (column, letter) in text.prefix(columns).enumerated() {
                let x = left + column * Self.cell.width * scale.x
                let y = top + row * Self.cell.height * scale.y
                draw(letter, x, y, &memory)
            }
        }
        return memory
    }

    private func draw(_ letter: Character, _ left: Int, _ top: Int, _ memory: inout [UInt8]) {
        for (line, bits) in DisplayFont.rows(letter).enumerated() {
            for dot in 0..<DisplayFont.width where bits & (16 >> UInt8(dot)) != 0 {
                for y in 0..<scale.y {
                    for x in 0..<scale.x {
                        light(left + dot * scale.x + x, top + line * scale.y + y, &memory)
                    }
                }
            }
        }
    }

    private func light(_ x: Int, _ y: Int, _ memory: inout [UInt8]) {
        let line = y * screen.lineBytes
        if screen.bits == 1 {
            // The kernel's order on machines whose lowest byte is the first: the left dot is bit 0.
            let bit = UInt8(1) << UInt8(x % 8)
            if screen.lit == 0 { memory[line + x / 8] &= ~bit } else { memory[line + x / 8] |= bit }
            return
        }
        let bytes = screen.bits / 8
        for byte in 0..<bytes {
            memory[line + x * bytes + byte] = UInt8(
                truncatingIfNeeded: screen.lit >> UInt32(8 * byte))
        }
    }

    static func == (one: DotScreen, other: DotScreen) -> Bool {
        one.screen == other.screen && one.columns == other.columns && one.rows == other.rows
    }
}

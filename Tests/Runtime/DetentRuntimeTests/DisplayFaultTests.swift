import DetentPlatform
import Glibc
import TestSupport
import Testing

@testable import DetentPanel
@testable import DetentRuntime

/// What keeps a display dark, and what helps.
@Suite struct DisplayFaultTests {
    private static let devices: [DisplayPlan.Device] = [
        .charlcd(path: "/dev/lcd"), .framebuffer(path: "/dev/fb9"), .message(path: "/sys/message"),
        .program(arguments: ["show"]),
    ]

    @Test func eachDeviceHasItsDriver() {
        let remedies = Self.devices.map { DisplayFault("opened", $0, errno: ENOENT).remedy }
        for (remedy, words) in zip(
            remedies, ["`hd44780-lcd`", "`ssd1306`", "`ht16k33`", "start it by hand"])
        {
            #expect(remedy.contains(words), "\(remedy)")
        }
        for error in [ENXIO, ENODEV] {
            expectEqual(
                Self.devices.map { DisplayFault("opened", $0, errno: error).remedy }, remedies)
        }
        expectEqual(
            DisplayFault("opened", Self.devices[0], errno: ENOENT).cause,
            "`/dev/lcd` cannot be opened: No such file or directory")
    }

    @Test func otherFaultsHaveTheirOwnRemedies() {
        func remedy(_ error: Int32) -> String {
            DisplayFault("written", Self.devices[0], errno: error).remedy
        }
        for error in [EACCES, EPERM] { #expect(remedy(error).contains("user of detent")) }
        #expect(remedy(EBUSY).contains("other program"))
        #expect(remedy(EIO).contains("wiring"))
    }

    /// What `detent doctor` asks, without a change of what is shown.
    @Test func aDeviceIsLookedAtBeforeItIsUsed() throws {
        func check(_ device: DisplayPlan.Device) -> DisplayFault? {
            DisplayWriter.check(DisplayPlan(name: "d", device: device, columns: 8, rows: 2))
        }
        expectEqual(check(.program(arguments: ["/bin/sh", "-c", "exit 1"])), nil, "not started")
        expectEqual(check(.program(arguments: ["true"])), nil, "it is looked up in PATH")
        #expect(check(.program(arguments: ["/nowhere/at-all"])) != nil)
        expectEqual(
            check(.charlcd(path: "/nowhere/lcd"))?.cause,
            "`/nowhere/lcd` cannot be opened: No such file or directory")
        let folder = FaultyFolder()
        try folder.put("", "message")
        let path = folder.path + "/message"
        expectEqual(check(.message(path: path)), nil)
        expectEqual(
            check(.framebuffer(path: path))?.cause,
            "`\(path)` is not a screen of dots that Detent can draw on")
    }

    /// Each letter has its dots at its place, and no others.
    @Test func lettersAreDrawnDotByDot() throws {
        let width = 3 * (DisplayFont.width + 1)
        let memory = Framebuffer(width: width, height: 8, bits: 8, lineBytes: width, lit: 0xFF)
        let screen = try #require(DotScreen(memory, columns: 3, rows: 1))
        for letter in (33..<127).map({ Character(UnicodeScalar($0)) }) {
            for place in 0..<3 {
                let text = String(repeating: " ", count: place) + String(letter)
                var wanted = [UInt8](repeating: 0, count: width * 8)
                for (line, bits) in DisplayFont.rows(letter).enumerated() {
                    for dot in 0..<5 where bits & (1 << UInt8(4 - dot)) != 0 {
                        wanted[line * width + 6 * place + dot] = 0xFF
                    }
                }
                #expect(screen.draw([text]) == wanted, "\(letter) at \(place)")
            }
        }
    }

    @Test func screensDifferByTheirSizes() throws {
        func screen(_ width: Int, _ columns: Int, _ rows: Int) throws -> DotScreen {
            let memory = Framebuffer(
                width: width, height: 64, bits: 1, lineBytes: width / 8, lit: 1)
            return try #require(DotScreen(memory, columns: columns, rows: rows))
        }
        let one = try screen(128, 16, 2)
        #expect(try one == screen(128, 16, 2))
        #expect(try one != screen(256, 16, 2))
        #expect(try one != screen(128, 8, 2))
        #expect(try one != screen(128, 16, 4))
    }

    /// A letter without a form is a question mark, also those beside the ASCII that can be seen.
    @Test(arguments: ["\u{1F}", "\u{7F}", "é", "\u{0}"] as [Character])
    func aLetterWithoutAFormIsAQuestionMark(letter: Character) {
        expectEqual(Array(DisplayFont.rows(letter)), Array(DisplayFont.rows("?")))
    }

    @Test(arguments: [(" ", 0), ("!", 1), ("?", 31), ("~", 94)] as [(Character, Int)])
    func theFormsBeginWithTheBlank(letter: Character, place: Int) {
        let rows = Array(DisplayFont.rows(letter))
        expectEqual(rows.count, DisplayFont.height)
        expectEqual(DisplayFont.rows(letter).startIndex, place * DisplayFont.height)
        expectEqual(rows.allSatisfy { $0 == 0 }, letter == " ")
    }
}

import DetentHAL
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentGPIOD

@Suite struct ChipLineFinderTests {
    /// GPIO17 of a Raspberry Pi 5 as the board file describes it.
    static let pi5Line17 = LineLocation(
        lineNames: ["GPIO17"], chipLabels: ["pinctrl-rp1"], platformDevice: "1f000d0000.gpio",
        offset: 17)

    private static func settings(_ location: LineLocation) -> LineSettings {
        LineSettings(
            line: LineID(0), name: "power", location: location, isActiveLow: false,
            direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil))
    }

    private static func path(
        _ location: LineLocation, on chips: [ChipRecord]
    ) throws(HALError) -> String {
        let place = try ChipLineFinder(chips: chips).location(of: settings(location))
        return "\(chips[place.chip].path):\(place.offset)"
    }

    private static func error(_ location: LineLocation, on chips: [ChipRecord]) -> HALError? {
        do {
            _ = try ChipLineFinder(chips: chips).location(of: settings(location))
            return nil
        } catch {
            return error
        }
    }

    @Test func findsTheHeaderWhateverItsNumber() throws {
        expectEqual(try Self.path(Self.pi5Line17, on: Machine.raspberryPi5Old), "/dev/gpiochip4:17")
        expectEqual(try Self.path(Self.pi5Line17, on: Machine.raspberryPi5New), "/dev/gpiochip0:17")
        expectEqual(
            try Self.path(Self.pi5Line17, on: Machine.raspberryPi5Mainline), "/dev/gpiochip15:17")
    }

    @Test func findsByNameAlone() throws {
        let name = LineLocation(lineNames: ["GPIO17"])
        expectEqual(try Self.path(name, on: Machine.raspberryPi4), "/dev/gpiochip0:17")
        expectEqual(try Self.path(name, on: Machine.raspberryPi5New), "/dev/gpiochip0:17")
    }

    /// Mainline kernels have other names: label and offset step in.
    @Test func findsByLabelWhereNamesDiffer() throws {
        let location = LineLocation(
            lineNames: ["GPIO17"], chipLabels: ["pinctrl-bcm2711"], offset: 17)
        expectEqual(
            try Self.path(location, on: Machine.raspberryPi4Mainline), "/dev/gpiochip0:17")
    }

    @Test(arguments: [[0, 1, 2, 3], [1, 2, 3, 0], [3, 0, 1, 2]])
    func findsOnRotatingLabels(order: [Int]) throws {
        let chips = Machine.beagleBone(order: order)
        let bank1 = order.firstIndex(of: 1) ?? -1
        let named = LineLocation(
            lineNames: ["P9_12 [gpio1_28]"], platformDevice: "4804c000.gpio", offset: 28)
        expectEqual(try Self.path(named, on: chips), "/dev/gpiochip\(bank1):28")
        expectEqual(
            try Self.path(LineLocation(lineNames: ["P9_12"]), on: chips), "/dev/gpiochip\(bank1):28"
        )
        let unnamed = LineLocation(platformDevice: "4804c000.gpio", offset: 28)
        expectEqual(try Self.path(unnamed, on: chips), "/dev/gpiochip\(bank1):28")
    }

    /// A name on another chip than the labelled one is another line.
    @Test func refusesANameOnAnUnexpectedChip() throws {
        let location = LineLocation(lineNames: ["GPIO17"], chipLabels: ["pinctrl-rp1"])
        let error = Self.error(location, on: Machine.raspberryPi4)
        expectEqual(error?.code, .noSuchChip)
        expectEqual(error?.cause.contains("pinctrl-bcm2711 (58 lines)"), true)
    }

    @Test func refusesANameThatSeveralLinesHave() throws {
        let error = Self.error(
            LineLocation(lineNames: ["2712_WAKE"]), on: Machine.raspberryPi5New)
        expectEqual(error?.code, .ambiguousLine)
        expectEqual(error?.cause.contains("4 lines are named 2712_WAKE"), true)
        expectEqual(
            error?.remedy,
            "instead of the name, write {chip: gpio-brcmstb@107d508500, offset: 0} or "
                + "{chip: gpio-brcmstb@107d508520, offset: 0} or "
                + "{chip: gpio-brcmstb@107d517c00, offset: 0} or "
                + "{chip: gpio-brcmstb@107d517c20, offset: 0}")
        // With a chip and an offset the name does not matter.
        let exact = LineLocation(
            lineNames: ["-"], chipLabels: ["gpio-brcmstb@107d517c00"], offset: 2)
        expectEqual(try Self.path(exact, on: Machine.raspberryPi5New), "/dev/gpiochip12:2")
    }

    @Test func tellsTwinExpandersApartByTheirParents() throws {
        let twins = [
            Machine.chip(1, "mcp23017", parent: "1-0020", lines: 16),
            Machine.chip(2, "mcp23017", parent: "1-0021", lines: 16),
        ]
        let either = LineLocation(chipLabels: ["mcp23017"], offset: 3)
        let error = Self.error(either, on: twins)
        expectEqual(error?.code, .ambiguousLine)
        expectEqual(error?.cause.contains("1-0020, 1-0021"), true)
        let second = LineLocation(
            chipLabels: ["mcp23017"], platformDevice: "1-0021", offset: 3)
        expectEqual(try Self.path(second, on: twins), "/dev/gpiochip2:3")
    }

    @Test func offersTheNearestNames() {
        let error = Self.error(LineLocation(lineNames: ["GPIO71"]), on: Machine.raspberryPi4)
        expectEqual(error?.code, .noSuchLine)
        expectEqual(error?.cause, "no GPIO line is named GPIO71")
        expectEqual(error?.remedy.contains("GPIO11"), true)
    }

    @Test func refusesOffsetsBeyondTheChip() {
        let location = LineLocation(chipLabels: ["pinctrl-bcm2711"], offset: 58)
        let error = Self.error(location, on: Machine.raspberryPi4)
        expectEqual(error?.code, .noSuchLine)
        expectEqual(error?.cause, "chip pinctrl-bcm2711 (58 lines) has no offset 58")
        expectEqual(error?.remedy, "choose an offset from 0 to 57")
    }

    @Test func saysWhichChipIsMissing() {
        let error = Self.error(Self.pi5Line17, on: Machine.debianPC)
        expectEqual(error?.code, .noSuchChip)
        expectEqual(
            error?.cause,
            "no GPIO chip labelled pinctrl-rp1; present: INTC1057:00 (360 lines), "
                + "i2c-expander (16 lines)")
        let none = Self.error(Self.pi5Line17, on: [])
        expectEqual(none?.cause.contains("this machine has no GPIO chip"), true)
        expectEqual(none?.remedy.contains("detent sim"), true)
    }

    @Test func refusesALocationThatSaysNothing() {
        expectEqual(Self.error(LineLocation(), on: Machine.raspberryPi4)?.code, .noSuchLine)
    }

    /// Debian has neither group nor rule; Raspberry Pi OS has both.
    @Test(arguments: [
        ("root", 0o600 as UInt32, EACCES, "udev rule"),
        ("gpio", 0o660, EACCES, "sudo usermod -aG gpio $USER"),
        ("dialout", 0o660, EACCES, "sudo usermod -aG dialout $USER"),
        ("gpio", 0o640, EACCES, "udev rule"),
        ("gpio", 0o660, EPERM, "DeviceAllow=char-gpiochip rw"),
    ])
    func saysWhatToTypeForPermission(
        group: String, mode: UInt32, errno: Int32, remedy: String
    ) {
        let closed = ChipRecord(
            path: "/dev/gpiochip0", label: "", errno: errno, mode: mode, group: group, lines: [])
        let error = Self.error(Self.pi5Line17, on: [closed])
        expectEqual(error?.code, .permissionDenied)
        expectEqual(error?.errno, errno)
        expectEqual(error?.cause.contains("it belongs to root:\(group)"), true)
        expectEqual(error?.remedy.contains(remedy), true)
        expectEqual(error?.remedy.contains("\n"), false)
    }

    /// A chip that may not be opened does not hide one that was found.
    @Test func ignoresClosedChipsWhereTheLineIsElsewhere() throws {
        let closed = ChipRecord(
            path: "/dev/gpiochip9", label: "", errno: EACCES, lines: [])
        let chips = Machine.raspberryPi5New + [closed]
        expectEqual(try Self.path(Self.pi5Line17, on: chips), "/dev/gpiochip0:17")
    }
}

import DetentHAL
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentGPIOD

@Suite struct RequestProblemTests {
    private static let chip = ChipRecord(
        path: "/dev/gpiochip0", label: "pinctrl-rp1", lines: [LineRecord(offset: 0)])

    private static func settings(debounce: TimeSpan? = nil) -> LineSettings {
        LineSettings(
            line: LineID(0), name: "power", location: LineLocation(), isActiveLow: false,
            direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: debounce))
    }

    @Test func namesTheHolderOfABusyLine() {
        let held = LineRecord(offset: 17, consumer: "gpiomon", isUsed: true)
        let error = HALError.refused(Self.settings(), errno: EBUSY, chip: Self.chip, line: held)
        expectEqual(error.code, .busy)
        expectEqual(error.holder, "gpiomon")
        expectEqual(error.cause, "line 17 of pinctrl-rp1 is held by \"gpiomon\"")
        #expect(error.mayPass)
    }

    @Test func tellsADriverFromAnInterruptConflict() {
        let driver = HALError.refused(
            Self.settings(), errno: EBUSY, chip: Self.chip,
            line: LineRecord(offset: 4, isUsed: true))
        #expect(driver.holder == nil)
        #expect(driver.cause.contains("a driver of the kernel"))
        let interrupt = HALError.refused(
            Self.settings(), errno: EBUSY, chip: Self.chip, line: LineRecord(offset: 4))
        #expect(interrupt.cause.contains("its interrupt is in use"))
    }

    @Test(arguments: [ENXIO, ENODEV])
    func suggestsPollingWhereThereAreNoEdges(errno: Int32) {
        let error = HALError.refused(
            Self.settings(), errno: errno, chip: Self.chip, line: LineRecord(offset: 4))
        expectEqual(error.code, .unsupported)
        #expect(error.remedy.contains("poll: 5ms"))
        #expect(!error.mayPass)
    }

    @Test func tellsAChipThatIsGone() {
        let error = HALError.refused(Self.settings(), errno: ENODEV, chip: Self.chip, line: nil)
        expectEqual(error.code, .unplugged)
        #expect(error.mayPass)
    }

    @Test func tellsADebounceThatIsTooLong() {
        let error = HALError.refused(
            Self.settings(debounce: .milliseconds(20)), errno: EINVAL, chip: Self.chip,
            line: LineRecord(offset: 4))
        expectEqual(error.code, .unsupported)
        #expect(error.cause.contains("the kernel debounce time is too long"))
    }

    @Test func tellsAKernelWithoutThisInterface() {
        var chip = Self.chip
        chip.lineErrno = EINVAL
        let error = HALError.refused(Self.settings(), errno: EINVAL, chip: chip, line: nil)
        expectEqual(error.code, .system)
        #expect(error.cause.contains(GPIODInventory.libraryVersion))
        #expect(error.remedy.contains("libgpiod"))
    }

    @Test func tellsAPinOfAnotherFunction() {
        let error = HALError.refused(
            Self.settings(), errno: EINVAL, chip: Self.chip, line: LineRecord(offset: 4))
        expectEqual(error.code, .unsupported)
        #expect(error.remedy.contains("pinctrl"))
    }

    @Test(arguments: [EIO, ENOMEM, EMFILE, EREMOTEIO])
    func passesOnWhatTheSystemSays(errno: Int32) {
        let error = HALError.refused(
            Self.settings(), errno: errno, chip: Self.chip, line: LineRecord(offset: 4))
        expectEqual(error.code, .system)
        expectEqual(error.errno, errno)
        #expect(error.cause.contains(systemText(errno)))
    }
}

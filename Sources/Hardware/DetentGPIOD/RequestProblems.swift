internal import DetentHAL
internal import Glibc

/// Messages for lines that were found but cannot be requested.
extension HALError {
    /// - Parameters:
    ///   - errno: the error number of the request, positive.
    ///   - line: the kernel's information about the line after the failure, if available.
    static func refused(
        _ settings: LineSettings, errno: Int32, chip: ChipRecord, line: LineRecord?
    ) -> HALError {
        func make(_ code: Code, _ cause: String, _ remedy: String) -> HALError {
            HALError(
                code: code, line: settings.name, errno: errno, cause: cause, remedy: remedy)
        }
        let place = "line \(line?.offset ?? 0) of \(chip.label)"
        switch errno {
        case EBUSY: return busy(settings, place: place, line: line)
        case EACCES, EPERM:
            var closed = chip
            closed.errno = errno
            return .cannotOpen(settings, chip: closed)
        case ENXIO where line != nil && settings.wantsEdges,
            ENODEV where line != nil && settings.wantsEdges:
            return make(
                .unsupported, "\(place) has no edge interrupt",
                "poll it: add `poll: 5ms` to the line")
        case ENODEV, ENXIO:
            return make(
                .unplugged, "\(chip.label) was removed while the line was requested",
                "connect it again; the line recovers automatically")
        case EOPNOTSUPP where settings.wantsDebounce:
            return make(
                .unsupported,
                "libgpiod \(GPIODInventory.libraryVersion) does not support kernel debounce",
                "remove the kernel debounce; Detent's debounce works on every system")
        case EINVAL where line == nil || chip.lineErrno == EINVAL:
            return make(
                .system,
                "the kernel does not know the GPIO interface \(GPIODInventory.interface) "
                    + "that libgpiod \(GPIODInventory.libraryVersion) uses",
                GPIODInventory.interface == 1
                    ? "use a build against libgpiod 2, or a kernel with CONFIG_GPIO_CDEV_V1"
                    : "use Linux 5.10 or newer, or a build against libgpiod 1.6")
        case EINVAL where settings.wantsDebounce:
            return make(
                .unsupported, "the kernel debounce time is too long for \(chip.label)",
                "shorten the kernel debounce, or remove it; Detent's debounce works on every system"
            )
        case EINVAL:
            return make(
                .unsupported, "the kernel refuses \(place) with these settings",
                "another function (I2C, SPI, UART) may use the pin: see /sys/kernel/debug/pinctrl, "
                    + "or choose another line")
        default:
            return make(
                .system, "the kernel refuses \(place): \(systemText(errno))",
                "see the kernel's log (dmesg) for \(chip.label)")
        }
    }

    private static func busy(
        _ settings: LineSettings, place: String, line: LineRecord?
    ) -> HALError {
        let consumer = line?.consumer ?? ""
        let isHeld = line?.isUsed ?? false
        let cause =
            !consumer.isEmpty
            ? "\(place) is held by \"\(consumer)\""
            : isHeld
                ? "\(place) is held by a driver of the kernel"
                : "\(place) is free, but its interrupt is in use"
        let remedy =
            !consumer.isEmpty
            ? "stop \"\(consumer)\" (a program, or a device-tree overlay), or choose another line"
            : isHeld
                ? "disable the overlay or driver that uses the pin, or choose another line"
                : "choose another line, or poll it: add `poll: 5ms` to the line"
        return HALError(
            code: .busy, line: settings.name, errno: EBUSY,
            holder: consumer.isEmpty ? nil : consumer, cause: cause, remedy: remedy)
    }

    /// Whether a retry can succeed without a change of the panel.
    var mayPass: Bool {
        switch code {
        case .permissionDenied, .busy, .noSuchLine, .noSuchChip, .unplugged, .system: true
        case .ambiguousLine, .unsupported: false
        }
    }
}

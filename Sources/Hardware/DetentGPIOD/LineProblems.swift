internal import DetentHAL
internal import Glibc

/// Messages for lines that cannot be found.
extension HALError {
    static func noSuchChip(_ settings: LineSettings, of chips: [ChipRecord]) -> HALError {
        let location = settings.location
        let present = chips.indices.filter { chips[$0].errno == 0 }
        let found =
            present.isEmpty
            ? "this machine has no GPIO chip"
            : "present: \(present.map(chips.summary).joined(separator: ", "))"
        let names = present.compactMap(chips.name).map { "`chip: \($0)`" }
        let remedy =
            if present.isEmpty {
                "try `detent sim` on a machine without GPIO, or load the chip's driver"
            } else if location.isNamedByUser, !names.isEmpty {
                "connect the chip, or write \(listed(names))"
            } else {
                "check `board:` in the panel file, and that the chip is connected"
            }
        return HALError(
            code: .noSuchChip, line: settings.name, errno: ENOENT,
            cause: "no GPIO chip \(location.wantedChip); \(found)", remedy: remedy)
    }

    static func noSuchLine(_ settings: LineSettings, nearest: [String]) -> HALError {
        let names = settings.location.lineNames.joined(separator: " or ")
        let advice =
            nearest.isEmpty
            ? "the chip has no line names; use {chip: LABEL, offset: N}"
            : "similar names: \(nearest.joined(separator: ", "))"
        return HALError(
            code: .noSuchLine, line: settings.name, errno: ENOENT,
            cause: "no GPIO line is named \(names)", remedy: advice)
    }

    static func offsetBeyondChip(
        _ settings: LineSettings, offset: UInt32, chip: ChipRecord
    ) -> HALError {
        HALError(
            code: .noSuchLine, line: settings.name, errno: EINVAL,
            cause: "chip \(chip.summary) has no offset \(offset)",
            remedy: chip.lines.isEmpty
                ? "the chip has no lines; use another chip"
                : "choose an offset from 0 to \(chip.lines.count - 1)")
    }

    static func notLocated(_ settings: LineSettings) -> HALError {
        HALError(
            code: .noSuchLine, line: settings.name, errno: EINVAL,
            cause: "the line has neither a name nor a chip with an offset",
            remedy: "name the line, or give {chip: LABEL, offset: N}")
    }

    static func ambiguousLine(
        _ settings: LineSettings, _ places: [ChipLineFinder.Place], of chips: [ChipRecord]
    ) -> HALError {
        let list = places.prefix(4).map { "\(chips[$0.chip].label) \($0.offset)" }
        let more = places.count > 4 ? " and \(places.count - 4) more" : ""
        let lines = places.compactMap { place in
            chips.name(ofChipAt: place.chip).flatMap {
                LineLocation(chipLabels: [$0], offset: place.offset).panelText
            }
        }
        return HALError(
            code: .ambiguousLine, line: settings.name,
            cause: "\(places.count) lines are named "
                + settings.location.lineNames.joined(separator: " or ")
                + ": \(list.joined(separator: ", "))\(more)",
            remedy: lines.isEmpty ? noName : "instead of the name, write \(listed(lines))")
    }

    /// Several chips have the wanted label, or the wanted parent device.
    static func ambiguousChip(
        _ settings: LineSettings, _ places: [Int], of chips: [ChipRecord]
    ) -> HALError {
        let isLabelled = settings.location.chipLabels.contains(chips[places[0]].label)
        let names = places.compactMap(chips.name).map { "`chip: \($0)`" }
        let others = places.map { isLabelled ? chips[$0].parent : chips[$0].label }.prefix(4)
        return HALError(
            code: .ambiguousLine, line: settings.name,
            cause: isLabelled
                ? "\(places.count) GPIO chips are labelled \(chips[places[0]].label), "
                    + "with the parent devices \(others.joined(separator: ", "))"
                : "\(places.count) GPIO chips have the parent device \(chips[places[0]].parent), "
                    + "with the labels \(others.joined(separator: ", "))",
            remedy: names.isEmpty ? noName : "write \(listed(names)), with `offset`")
    }

    /// The remedy where neither label nor parent device tells chips apart.
    private static let noName =
        "neither label nor parent device tells these chips apart; name their lines by "
        + "`gpio-line-names` in the device tree, and use these names"

    /// The first words of a list that may be long.
    private static func listed(_ words: [String]) -> String {
        words.prefix(4).joined(separator: " or ")
    }

    static func cannotOpen(_ settings: LineSettings, chip: ChipRecord) -> HALError {
        let denied = chip.errno == EACCES || chip.errno == EPERM
        return HALError(
            code: denied ? .permissionDenied : .system, line: settings.name, errno: chip.errno,
            cause: "\(chip.path) cannot be opened: \(systemText(chip.errno)); "
                + "it belongs to \(chip.owner):\(chip.group), mode \(octal(chip.mode))",
            remedy: chip.permissionRemedy)
    }

    static func usedTwice(
        _ settings: LineSettings, by other: String, chip: ChipRecord
    ) -> HALError {
        HALError(
            code: .busy, line: settings.name, errno: EBUSY, holder: other,
            cause: "\(other) already uses this line of \(chip.label)",
            remedy: "use another line for \(settings.name) or \(other)")
    }
}

extension LineLocation {
    /// Whether `chip:` of a panel file says where the line is, and not a board file.
    fileprivate var isNamedByUser: Bool { platformDevice != nil && chipLabels == [platformDevice] }

    /// Which chip it has to be, in words.
    fileprivate var wantedChip: String {
        if isNamedByUser { return "with the label or the parent device \(chipLabels[0])" }
        return chipLabels.isEmpty
            ? "with the parent device \(platformDevice ?? "?")"
            : "labelled \(chipLabels.joined(separator: " or "))"
    }
}

extension ChipRecord {
    /// Whether it is a chip that this user may not open.
    var isClosedToUs: Bool {
        errno != 0 && errno != ENODEV && errno != ENOTTY && errno != ENOENT && errno != ENXIO
    }

    /// Label and size, for listings.
    var summary: String { "\(label) (\(lines.count) lines)" }

    /// The command that lets this user open the chip.
    public var permissionRemedy: String {
        if errno == EPERM {
            return
                "the service manager denies access to the device: set DeviceAllow=char-gpiochip rw"
        }
        guard errno == EACCES else { return "see the kernel's log (dmesg) for \(path)" }
        if group != "root", mode & 0o060 == 0o060 {
            return "run `sudo usermod -aG \(group) $USER`, then log in again"
        }
        return "no udev rule assigns the device to a group: run `sudo groupadd -rf gpio && "
            + "echo 'SUBSYSTEM==\"gpio\", KERNEL==\"gpiochip[0-9]*\", GROUP=\"gpio\", "
            + "MODE=\"0660\"' | "
            + "sudo tee /etc/udev/rules.d/60-detent.rules && sudo udevadm control --reload && "
            + "sudo udevadm trigger --subsystem-match=gpio && sudo usermod -aG gpio $USER`, "
            + "then log in again"
    }
}

/// The system's text for an error number.
func systemText(_ errno: Int32) -> String {
    strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
}

private func octal(_ mode: UInt32) -> String {
    "0" + String(mode & 0o777, radix: 8)
}

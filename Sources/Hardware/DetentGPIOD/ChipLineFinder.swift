internal import DetentHAL

extension LineLocation {
    /// Whether a line has one of the names. `P9_12` also matches `P9_12 [gpio1_28]`: BeagleBone
    /// kernels append the pin's function to its name, in varying forms.
    fileprivate func names(_ line: LineRecord) -> Bool {
        lineNames.contains { name in
            line.name == name || !name.isEmpty && line.name.hasPrefix(name + " [")
        }
    }
}

/// Finds lines among the present chips by properties that do not change between kernels.
///
/// The order: an explicit chip label with an offset; a line name, accepted only if it is unique, on
/// the expected chip if labels are given; label and offset; parent device and offset. Chip numbers
/// are not used.
struct ChipLineFinder {
    /// A line that was found.
    struct Place: Equatable {
        /// Index into `chips`.
        var chip: Int
        var offset: UInt32
    }

    let chips: [ChipRecord]

    /// Finds one line; linear in the lines of all chips.
    func location(of settings: LineSettings) throws(HALError) -> Place {
        if let channel = settings.location.channel {
            throw HALError(
                code: .unsupported, line: settings.name,
                cause:
                    "\"\(channel.device)\" is no GPIO chip, and the panel started with chips alone",
                remedy: "restart the panel")
        }
        let location = settings.location
        let named = candidates(location)
        if named.count == 1 { return named[0] }
        if let offset = location.offset {
            let labelled = chips.indices.filter { location.chipLabels.contains(chips[$0].label) }
            if let chip = single(labelled, location) {
                return try checked(settings, chip: chip, offset: offset)
            }
            if labelled.count > 1 {
                throw .ambiguousChip(settings, labelled, of: chips)
            }
            let onDevice = chips.indices.filter { isChild(chips[$0], of: location.platformDevice) }
            if onDevice.count == 1 {
                return try checked(settings, chip: onDevice[0], offset: offset)
            }
            if onDevice.count > 1 { throw .ambiguousChip(settings, onDevice, of: chips) }
        }
        throw problem(settings, named: named)
    }

    /// Lines with one of the names, on the expected chips only.
    private func candidates(_ location: LineLocation) -> [Place] {
        guard !location.lineNames.isEmpty else { return [] }
        var found: [Place] = []
        for (index, chip) in chips.enumerated() where isExpected(chip, location) {
            for line in chip.lines where location.names(line) {
                found.append(Place(chip: index, offset: line.offset))
            }
        }
        return found
    }

    /// Given labels must match. A chip with the expected parent matches with any label.
    private func isExpected(_ chip: ChipRecord, _ location: LineLocation) -> Bool {
        location.chipLabels.isEmpty || location.chipLabels.contains(chip.label)
            || chip.parent == location.platformDevice
    }

    /// The only chip with the label, or among several the one with the expected parent.
    private func single(_ labelled: [Int], _ location: LineLocation) -> Int? {
        if labelled.count == 1 { return labelled[0] }
        let exact = labelled.filter { chips[$0].parent == location.platformDevice }
        return exact.count == 1 ? exact[0] : nil
    }

    private func isChild(_ chip: ChipRecord, of device: String?) -> Bool {
        device.map { !$0.isEmpty && chip.parent == $0 } ?? false
    }

    private func checked(
        _ settings: LineSettings, chip: Int, offset: UInt32
    ) throws(HALError) -> Place {
        if chips[chip].errno != 0 { throw .cannotOpen(settings, chip: chips[chip]) }
        guard Int(offset) < chips[chip].lines.count else {
            throw .offsetBeyondChip(settings, offset: offset, chip: chips[chip])
        }
        return Place(chip: chip, offset: offset)
    }

    /// Why nothing was found. The cause that is easiest to fix comes first.
    private func problem(_ settings: LineSettings, named: [Place]) -> HALError {
        let location = settings.location
        if named.count > 1 {
            return .ambiguousLine(settings, named, of: chips)
        }
        if let closed = chips.first(where: { $0.isClosedToUs }) {
            return .cannotOpen(settings, chip: closed)
        }
        let present = chips.filter { $0.errno == 0 }
        let wantsChip = !location.chipLabels.isEmpty || location.platformDevice != nil
        if wantsChip, !present.contains(where: { isWanted($0, location) }) || present.isEmpty {
            return .noSuchChip(settings, of: chips)
        }
        if location.lineNames.isEmpty { return .notLocated(settings) }
        let names = present.filter { isExpected($0, location) }
            .flatMap { $0.lines.map(\.name) }.filter { !$0.isEmpty }
        return .noSuchLine(
            settings, nearest: NameDistance.nearest(to: location.lineNames, in: names))
    }

    private func isWanted(_ chip: ChipRecord, _ location: LineLocation) -> Bool {
        location.chipLabels.contains(chip.label) || chip.parent == location.platformDevice
    }
}

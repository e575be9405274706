public import DetentHAL
internal import Glibc

extension GPIODInventory {
    /// The problems that would prevent a panel from using its lines. Requests no line.
    ///
    /// Faults that only a request reveals, such as a chip without interrupts, are not found.
    public func problems(of lines: [LineSettings]) -> [HALError] {
        let resolver = ChipLineFinder(chips: chips)
        var problems: [HALError] = []
        for settings in lines {
            do throws(HALError) {
                let place = try resolver.location(of: settings)
                let chip = chips[place.chip]
                let line = chip.lines.first { $0.offset == place.offset }
                if let line, line.isUsed {
                    throw .refused(settings, errno: EBUSY, chip: chip, line: line)
                }
            } catch {
                problems.append(error)
            }
        }
        return problems
    }
}

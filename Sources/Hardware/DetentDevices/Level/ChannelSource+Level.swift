internal import DetentHAL

extension ChannelSource {
    /// Outputs with levels. They tell of no changes, so that nothing is found by a search.
    static let level = ChannelSource(
        takes: { LevelBackend.takes($0) }, makeBackend: { LevelBackend() },
        problems: { lines in
            let lamps = LEDInventory.scan()
            let chips = PWMInventory.scan()
            return lines.compactMap { line in
                line.location.channel?.kind == .pwm
                    ? chips.problem(of: line) : lamps.problem(of: line)
            }
        },
        channels: { _ in [] },
        output: { name in
            if LEDInventory.scan().names.contains(name) { return "{led: \(name)}" }
            let chips = PWMInventory.scan()
            return chips.records.first { $0.names.contains(name) }.map { chip in
                "{pwm: {chip: \(chips.ownName(of: chip)), channel: 0}}"
            }
        })
}

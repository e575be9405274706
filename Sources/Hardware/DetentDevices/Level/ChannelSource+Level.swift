internal import DetentHAL

extension ChannelSource {
    /// Outputs with levels. They tell of no changes, so that nothing is found by a search.
    static let level = ChannelSource(
        takes: { LevelBackend.takes($0) }, makeBackend: { LevelBackend() },
        problems: { lines in
            let inventory = LEDInventory.scan()
            return lines.compactMap { inventory.problem(of: $0) }
        },
        channels: { _ in [] })
}

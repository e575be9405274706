import DetentHAL

/// A line of the panel file that was found on the board.
struct ResolvedLine {
    /// The name in the panel file.
    var name: String
    /// Equal for all spellings of the same line, and different for different lines.
    var identity: String
    var lineNames: [String]
    var chipLabels: [String] = []
    var platformDevice: String?
    var offset: UInt32?
    /// The pin in the board file; nil for a line that is not on a header.
    var pin: BoardPin?
    var chip: BoardChip?
    /// The chip of the file's `chips`.
    var named: ChipPlan?
    /// The channel of another device that makes it.
    var channel: DeviceChannel?
    var place: SourcePlace
    /// The node of the line, for the keys `active`, `bias` and `poll`.
    var node: YAMLNode

    /// The model of its chip; nil if it is not known, or no expander.
    var model: ChipModel? {
        named == nil ? chipLabels.first.flatMap(ChipModel.init(named:)) : named?.model
    }
}

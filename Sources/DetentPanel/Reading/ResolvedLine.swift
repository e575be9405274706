/// A line of the panel file, found on the board.
struct ResolvedLine {
    /// The name as the panel file writes it.
    var name: String
    /// Equal for two spellings of one line, and only for these.
    var identity: String
    var lineNames: [String]
    var chipLabels: [String] = []
    var platformDevice: String?
    var offset: UInt32?
    /// What the board file knows of the line; nil off every header.
    var pin: BoardPin?
    var chip: BoardChip?
    var place: SourcePlace
    /// The map form's own keys: `active`, `bias`, `poll`.
    var node: YAMLNode
}

internal import CBoards

/// The known boards by their names.
public struct BoardCatalogue: Sendable {
    /// The names, in alphabetical order.
    public let names: [String]
    private let sources: [String: SourceText]

    /// The boards that are built into the program.
    public static let builtIn = BoardCatalogue(sources: embeddedSources())

    /// Makes a catalogue of board files; a board's name is the file name without its extension.
    public init(sources: [SourceText]) {
        var byName: [String: SourceText] = [:]
        for source in sources { byName[Self.name(of: source.file)] = source }
        self.sources = byName
        names = byName.keys.sorted()
    }

    /// Reads a board; nil and no problem if there is no board with this name.
    ///
    /// Built-in boards have no problems; a test reads them all.
    public func board(named name: String) -> (board: Board?, problems: [Problem]) {
        guard let source = sources[name] else { return (nil, []) }
        let log = ProblemLog(source)
        let board = BoardParser.parse(source, log: log)
        if let board, board.id != name {
            log.error(
                .invalidID, at: SourcePlace(line: 1, column: 1),
                "the board's id is `\(quoted(board.id))`, and its file is named `\(quoted(name))`",
                help: "use the same name in both")
        }
        return (log.hasErrors ? nil : board, log.problems)
    }

    /// The file of a board; nil if there is no board with this name.
    public func source(named name: String) -> SourceText? { sources[name] }

    /// The name that was probably meant.
    public func nearestName(to name: String) -> String? { nearestWord(to: name, among: names) }

    /// The board of a device tree; nil for an unknown board.
    ///
    /// Compares the strings of `compatible` first, then `model`, which firmware extends by " Rev ".
    public func detect(deviceTree path: String = "/proc/device-tree") -> Board? {
        let compatible = Self.strings(path + "/compatible")
        let model = Self.strings(path + "/model").first
        guard !compatible.isEmpty || model != nil else { return nil }
        let boards = names.compactMap { board(named: $0).board }
        // The device tree names the board itself first, then what it is compatible with.
        for string in compatible {
            if let board = boards.first(where: { $0.compatible.contains(string) }) { return board }
        }
        guard let model else { return nil }
        return boards.first { board in
            board.models.contains { model == $0 || model.hasPrefix($0 + " Rev ") }
        }
    }

    /// The strings of a property of the device tree, each ended by a NUL byte.
    private static func strings(_ path: String) -> [String] {
        guard let source = try? SourceText.read(file: path),
            source.bytes.count <= Limits.deviceTreeBytes
        else { return [] }
        return source.bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func name(of file: String) -> String {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        return last.hasSuffix(".yaml") ? String(last.dropLast(5)) : last
    }

    private static func embeddedSources() -> [SourceText] {
        var size = 0
        let start = detent_boards(&size)
        let all = UnsafeRawBufferPointer(start: start, count: size)
        return all.split(separator: 0).map { bytes in
            SourceText(file: "boards/\(id(in: bytes)).yaml", bytes: Array(bytes))
        }
    }

    /// The value of the line `id: NAME`, without reading the rest as YAML.
    private static func id(in bytes: Slice<UnsafeRawBufferPointer>) -> String {
        for line in bytes.prefix(1_000).split(separator: UInt8(ascii: "\n")) {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("id: ") { return String(text.dropFirst(4)) }
        }
        return ""
    }
}

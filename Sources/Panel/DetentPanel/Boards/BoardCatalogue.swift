internal import CBoards
import Glibc

/// The known boards by their names.
public struct BoardCatalogue: Sendable {
    /// The names, in alphabetical order.
    public let names: [String]
    private let sources: [String: Source]

    /// Where the file of a board is.
    private enum Source: Sendable {
        case text(SourceText)
        /// In these bytes of the program. Few boards of a program are ever read.
        case embedded(Range<Int>)
    }

    /// The boards that are built into the program.
    public static let builtIn = BoardCatalogue(embedded())

    /// Makes a catalogue of board files; a board's name is the file name without its extension.
    public init(sources: [SourceText]) {
        var byName: [String: Source] = [:]
        for source in sources { byName[Self.name(of: source.file)] = .text(source) }
        self.init(byName)
    }

    private init(_ sources: [String: Source]) {
        self.sources = sources
        names = sources.keys.sorted()
    }

    /// Reads a board; nil and no problem if there is no board with this name.
    ///
    /// Built-in boards have no problems; a test reads them all.
    public func board(named name: String) -> (board: Board?, problems: [Problem]) {
        guard let source = source(named: name) else { return (nil, []) }
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
    public func source(named name: String) -> SourceText? {
        switch sources[name] {
        case .text(let text): text
        case .embedded(let place):
            SourceText(file: "boards/\(name).yaml", bytes: Array(Self.embeddedBytes[place]))
        case nil: nil
        }
    }

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

    /// The files that are built into the program, each ended by a NUL byte.
    private static var embeddedBytes: UnsafeRawBufferPointer {
        var size = 0
        let start = detent_boards(&size)
        return UnsafeRawBufferPointer(start: start, count: size)
    }

    private static func embedded() -> [String: Source] {
        let all = embeddedBytes
        var sources: [String: Source] = [:]
        var start = 0
        while let end = firstIndex(of: 0, in: all, from: start) {
            sources[id(in: all, from: start)] = .embedded(start..<end)
            start = end + 1
        }
        return sources
    }

    /// The value of the line `id: NAME` of a file that begins here, without reading it as YAML.
    private static func id(in all: UnsafeRawBufferPointer, from start: Int) -> String {
        let key = "id: ".utf8
        var start = start
        while let end = firstIndex(of: UInt8(ascii: "\n"), in: all, from: start) {
            let line = all[start..<end]
            if line.starts(with: key) {
                return String(decoding: line.dropFirst(key.count), as: UTF8.self)
            }
            start = end + 1
        }
        return ""
    }

    /// The C library looks for a byte in every program that reads a panel; a loop of a debug build
    /// took half of the time of `detent check`.
    private static func firstIndex(
        of byte: UInt8, in all: UnsafeRawBufferPointer, from start: Int
    ) -> Int? {
        guard start < all.count, let base = all.baseAddress,
            let found = memchr(base + start, CInt(byte), all.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

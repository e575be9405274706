import Glibc
import TestSupport
import Testing

@testable import DetentPanel

@Suite struct BoardTests {
    static let catalogue = BoardCatalogue.builtIn

    /// One line of Fixtures/boards.csv, which was made from the sources without this parser.
    struct Row: Hashable {
        var id, compatible, label, header: String
        var pin: Int
        var lineName: String
        var offset: UInt32
    }

    static let rows: [Row] = {
        guard let source = try? SourceText.read(file: Repository.fixture("boards.csv")) else {
            return []
        }
        let lines = String(decoding: source.bytes, as: UTF8.self).split(separator: "\n")
        return lines.dropFirst().compactMap { line in
            // Only the second cell has commas of its own, and then it is quoted.
            let outer = line.split(separator: "\"", omittingEmptySubsequences: false)
            let cells = outer.enumerated().flatMap { index, part in
                index == 1
                    ? [String(part)]
                    : part.split(separator: ",", omittingEmptySubsequences: false)
                        .dropFirst(index == 2 ? 1 : 0).dropLast(
                            index == 0 && outer.count > 1 ? 1 : 0
                        )
                        .map(String.init)
            }
            guard cells.count == 7, let pin = Int(cells[4]), let offset = UInt32(cells[6]) else {
                return nil
            }
            return Row(
                id: cells[0], compatible: cells[1], label: cells[2], header: cells[3], pin: pin,
                lineName: cells[5], offset: offset)
        }
    }()

    /// Each file of the folder is part of the program, and nothing else is.
    @Test func listEqualsFolder() throws {
        let files = Repository.names(in: Repository.path("boards")).filter { $0.hasSuffix(".yaml") }
        expectEqual(Self.catalogue.names, files.map { String($0.dropLast(5)) }.sorted())
        for file in files {
            let onDisk = try SourceText.read(file: Repository.path("boards/" + file)).bytes
            let embedded = Self.catalogue.source(named: String(file.dropLast(5)))
            expectEqual(embedded?.bytes, onDisk, "\(file) changed without a build")
        }
    }

    @Test(arguments: catalogue.names) func isSound(_ name: String) throws {
        let (found, problems) = Self.catalogue.board(named: name)
        expectEqual(ProblemRenderer.text(problems), "")
        let board = try #require(found)
        expectEqual(board.id, name)
        #expect(!board.compatible.isEmpty && !board.models.isEmpty && !board.name.isEmpty)
        let known: Set = ["aarch64", "armv7l", "armv6l", "riscv64"]
        #expect(
            !board.architectures.isEmpty && known.isSuperset(of: board.architectures),
            "\(board.architectures)")
        expectEqual(board.packageRemark == nil, board.architectures == ["aarch64"])
        var lines: Set<String> = []
        for (header, pin) in board.pins {
            expectEqual(pin.isLine, (pin.chip != nil && pin.offset != nil), "\(pin.name)")
            guard let key = pin.chip, let chip = board.chip(key), let offset = pin.offset else {
                #expect(pin.lineNames.isEmpty && pin.bus == nil, "\(pin.name)")
                continue
            }
            #expect(offset < chip.lines)
            #expect(!chip.labels.isEmpty || chip.platformDevice != nil)
            #expect(
                lines.insert("\(key) \(offset)").inserted,
                "\(pin.name): two pins of \(header.name) share a line")
        }
        for header in board.headers {
            expectEqual(Set(header.pins.map(\.number)).count, header.pins.count)
        }
        #expect(board.pins.count(where: \.pin.isLine) >= 15)
    }

    /// Names that a panel can use mean one pin each.
    @Test(arguments: catalogue.names) func namesAreUnique(_ name: String) throws {
        let board = try #require(Self.catalogue.board(named: name).board)
        let names = board.pins.filter(\.pin.isLine).flatMap {
            Set([$0.pin.name] + $0.pin.lineNames)
        }
        expectEqual(names.count, Set(names).count)
    }

    @Test func pinsAreAsInTheSources() throws {
        #expect(Self.rows.count > 1_000)
        var read: Set<Row> = []
        for name in Self.catalogue.names {
            let board = try #require(Self.catalogue.board(named: name).board)
            for (header, pin) in board.pins where pin.isLine {
                read.insert(
                    Row(
                        id: name, compatible: board.compatible[0],
                        label: pin.chip.flatMap(board.chip)?.labels.first ?? "",
                        header: header.name, pin: pin.number, lineName: pin.lineNames.first ?? "",
                        offset: pin.offset ?? .max))
            }
        }
        let expected = Set(Self.rows)
        expectEqual(expected.subtracting(read).sorted { $0.pin < $1.pin }.prefix(5), [])
        expectEqual(read.subtracting(expected).sorted { $0.pin < $1.pin }.prefix(5), [])
    }

    @Test func noTwoBoardsAreDetectedAlike() {
        let boards = Self.catalogue.names.compactMap { Self.catalogue.board(named: $0).board }
        let strings = boards.flatMap(\.compatible)
        expectEqual(strings.count, Set(strings).count)
    }

    @Test(arguments: [
        (
            "raspberrypi,5-model-b\0brcm,bcm2712\0", "Raspberry Pi 5 Model B Rev 1.0\0",
            "raspberry-pi-5"
        ),
        (
            "raspberrypi,500\0raspberrypi,5-model-b\0", "Raspberry Pi 500 Rev 1.0\0",
            "raspberry-pi-500"
        ),
        ("raspberrypi,500\0brcm,bcm2712\0", "Raspberry Pi 500 Rev 1.0\0", "raspberry-pi-500"),
        ("unknown,board\0", "Raspberry Pi 4 Model B Rev 1.4\0", "raspberry-pi-4b"),
        ("unknown,board\0", "Radxa ROCK 5B\0", "radxa-rock-5b"),
        ("unknown,board\0", "Radxa ROCK 5B+\0", ""),
        ("unknown,board\0", "Raspberry Pi 5000\0", ""),
        ("", "", ""),
    ])
    func isDetected(_ compatible: String, _ model: String, _ expected: String) {
        let folder = Folder.temporary()
        Self.write(compatible, to: folder + "/compatible")
        Self.write(model, to: folder + "/model")
        let board = Self.catalogue.detect(deviceTree: folder)
        expectEqual(board?.id ?? "", expected)
        let reading = PanelReader.read(
            SourceText(
                file: "p", text: "panel: P\nboard: auto\ncontrols: {c: {\(Base.button)}}"),
            deviceTree: folder)
        if expected.isEmpty {
            #expect(reading.plan?.board == nil)
            expectEqual(reading.problems.map(\.rule), [.boardNotDetected])
        } else {
            expectEqual(reading.problems.map(\.rule), [.unknownLine])
        }
        unlink(folder + "/compatible")
        unlink(folder + "/model")
        rmdir(folder)
    }

    @Test func nearestNames() {
        expectEqual(Self.catalogue.nearestName(to: "raspberrypi-5"), "raspberry-pi-5")
        #expect(Self.catalogue.nearestName(to: "toaster") == nil)
        #expect(Self.catalogue.board(named: "toaster").board == nil)
    }

    @Test func brokenBoardFileIsReported() {
        let text = """
            id: odd
            name: Odd
            soc: none
            detect: {compatible: [x]}
            logic_voltage: '3.3'
            chips:
              c: {labels: [c], lines: 2, edges: sometimes, bias: works}
            headers:
              H: {pins: {1: {kind: gpio, name: A, chip: c, line: 2}, 2: {kind: gpio, name: B}}}
            """
        let boards = BoardCatalogue(sources: [SourceText(file: "boards/odd.yaml", text: text)])
        let (board, problems) = boards.board(named: "odd")
        #expect(board == nil)
        expectEqual(problems.map(\.rule), [.unknownWord, .outOfRange, .missingKey])
        let reading = PanelReader.read(
            SourceText(file: "p", text: "panel: P\nboard: odd\ncontrols: {c: {\(Base.button)}}"),
            boards: boards)
        expectEqual(reading.problems.map(\.rule), [.unknownBoard])
    }

    @Test func pinoutShowsBothColumns() throws {
        let board = try #require(Self.catalogue.board(named: "raspberry-pi-5").board)
        let lines = Pinout.text(board).split(separator: "\n")
        expectEqual(lines[0], "Raspberry Pi 5 (raspberry-pi-5), logic 3.3 V")
        expectEqual(lines[1], "J8")
        #expect(lines[2].hasSuffix("3V3   1 o o  2  5V"))
        #expect(lines[3].hasSuffix("GPIO2 (I2C1_SDA) *   3 o o  4  5V"))
        #expect(lines[7].hasSuffix("GPIO17  11 o o 12  GPIO18"))
        expectEqual(lines.count, 23)
    }

    private static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        _ = Array(text.utf8).withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        fclose(file)
    }
}

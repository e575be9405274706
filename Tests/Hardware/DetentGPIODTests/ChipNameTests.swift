import DetentHAL
import DetentTypes
import TestSupport
import Testing

@testable import DetentGPIOD

/// How a panel file names chips, and what is said of chips that it cannot tell apart.
@Suite struct ChipNameTests {
    private static let twins = [
        Machine.chip(1, "mcp23017", parent: "1-0020", lines: 16, names: [5: "LEFT"]),
        Machine.chip(2, "mcp23017", parent: "1-0021", lines: 16, names: [7: "LEFT"]),
        Machine.chip(3, "pcf8574", parent: "1-0038", lines: 8),
    ]

    /// What `chip: NAME` with an offset is to a backend.
    private static func line(_ chip: String, _ offset: UInt32, bias: Bias = .asIs) -> LineSettings {
        LineSettings(
            line: LineID(0), name: "\(chip):\(offset)",
            location: LineLocation(chipLabels: [chip], platformDevice: chip, offset: offset),
            isActiveLow: false,
            direction: .input(bias: bias, edges: .interrupt, kernelDebounce: nil))
    }

    private static func error(_ settings: LineSettings, on chips: [ChipRecord]) -> HALError? {
        do {
            _ = try ChipLineFinder(chips: chips).location(of: settings)
            return nil
        } catch {
            return error
        }
    }

    /// The words that a remedy offers after `chip: `.
    private static func offered(_ remedy: String?) -> [String] {
        (remedy ?? "").split(separator: "`").filter { $0.hasPrefix("chip: ") }
            .map { String($0.dropFirst(6)) }
    }

    @Test(arguments: [("1-0020", 1), ("1-0021", 2), ("pcf8574", 3), ("1-0038", 3)])
    func aChipIsALabelOrAParentDevice(name: String, number: Int) throws {
        let place = try ChipLineFinder(chips: Self.twins).location(of: Self.line(name, 3))
        expectEqual(Self.twins[place.chip].path, "/dev/gpiochip\(number)")
        expectEqual(place.offset, 3)
    }

    /// A label counts before a parent device.
    @Test func aLabelComesFirst() throws {
        let chips = [
            Machine.chip(0, "other", parent: "1-0020", lines: 8),
            Machine.chip(1, "1-0020", parent: "1-0021", lines: 8),
        ]
        expectEqual(try ChipLineFinder(chips: chips).location(of: Self.line("1-0020", 3)).chip, 1)
        expectEqual(chips.name(ofChipAt: 0), "other")
    }

    /// What the error offers finds each of the chips.
    @Test func twinsAreOfferedByNamesThatWork() throws {
        let error = try #require(Self.error(Self.line("mcp23017", 3), on: Self.twins))
        expectEqual(
            error.cause,
            "2 GPIO chips are labelled mcp23017, with the parent devices 1-0020, 1-0021")
        expectEqual(error.remedy, "write `chip: 1-0020` or `chip: 1-0021`, with `offset`")
        let places = try Self.offered(error.remedy).map {
            try ChipLineFinder(chips: Self.twins).location(of: Self.line($0, 3)).chip
        }
        expectEqual(places, [0, 1])
    }

    @Test func aNameOnTwinsIsOfferedByPlacesThatWork() throws {
        var wanted = Self.line("mcp23017", 0)
        wanted.location = LineLocation(
            lineNames: ["LEFT"], chipLabels: ["mcp23017"], platformDevice: "mcp23017")
        expectEqual(
            Self.error(wanted, on: Self.twins)?.remedy,
            "instead of the name, write {chip: 1-0020, offset: 5} or {chip: 1-0021, offset: 7}")
        wanted.location.chipLabels = ["1-0021"]
        wanted.location.platformDevice = "1-0021"
        let place = try ChipLineFinder(chips: Self.twins).location(of: wanted)
        expectEqual(place, ChipLineFinder.Place(chip: 1, offset: 7))
    }

    @Test func aMissingChipIsToldWithTheNamesOfTheOthers() throws {
        let error = try #require(Self.error(Self.line("1-0022", 3), on: Self.twins))
        expectEqual(error.code, .noSuchChip)
        expectEqual(
            error.cause,
            "no GPIO chip with the label or the parent device 1-0022; present: "
                + "mcp23017 at 1-0020 (16 lines), mcp23017 at 1-0021 (16 lines), "
                + "pcf8574 (8 lines)")
        expectEqual(
            error.remedy,
            "connect the chip, or write `chip: 1-0020` or `chip: 1-0021` or `chip: pcf8574`")
        for name in Self.offered(error.remedy) {
            #expect(Self.error(Self.line(name, 3), on: Self.twins) == nil, "\(name)")
        }
    }

    /// Chips of one device, which have one label too.
    @Test(arguments: ["two", "spi0.0"])
    func whatTellsNoChipsApartIsNotOffered(name: String) {
        let chips = (0..<2).map { Machine.chip($0, "two", parent: "spi0.0", lines: 8) }
        let error = Self.error(Self.line(name, 3), on: chips)
        expectEqual(error?.code, .ambiguousLine)
        expectEqual(error?.remedy.contains("gpio-line-names"), true)
        expectEqual(chips.name(ofChipAt: 0), nil)
    }

    /// Chips of one device with labels of their own.
    @Test func aSharedDeviceIsOfferedByLabels() throws {
        let chips = (0..<2).map { Machine.chip($0, "bank\($0)", parent: "a.gpio", lines: 8) }
        let error = try #require(Self.error(Self.line("a.gpio", 3), on: chips))
        expectEqual(
            error.cause, "2 GPIO chips have the parent device a.gpio, with the labels bank0, bank1")
        expectEqual(Self.offered(error.remedy), ["bank0", "bank1"])
    }

    @Test(arguments: [
        ("1-0020", "{chip: 1-0020, offset: 3}"),
        ("gpio-brcmstb@107d517c00", "{chip: gpio-brcmstb@107d517c00, offset: 3}"),
        ("soc:firmware:gpio", "{chip: soc:firmware:gpio, offset: 3}"),
        ("a b", "{chip: \"a b\", offset: 3}"), ("a: ", "{chip: \"a: \", offset: 3}"),
        ("-a", "{chip: \"-a\", offset: 3}"), ("a\"\\", "{chip: \"a\\\"\\\\\", offset: 3}"),
    ])
    func aLineIsWrittenAsAPanelFileHasIt(chip: String, text: String) {
        expectEqual(LineLocation(chipLabels: [chip], offset: 3).panelText, text)
    }

    @Test func aLineWithoutAChipOrAnOffsetHasNoPlace() {
        #expect(LineLocation(lineNames: ["A"], offset: 3).panelText == nil)
        #expect(LineLocation(chipLabels: ["a"]).panelText == nil)
        expectEqual(
            LineLocation(platformDevice: "a", offset: 3).panelText, "{chip: a, offset: 3}")
    }

    /// One remark for a chip and a bias, whatever the label is.
    @Test func linesWithoutAResistorAreTold() {
        var chips = Self.twins
        chips.append(Machine.chip(4, "1-0022", parent: "1-0022", lines: 16))
        chips[3].model = "pca9535"
        let remarks = GPIODInventory(chips: chips).pullRemarks(of: [
            Self.line("1-0020", 0, bias: .pullUp), Self.line("1-0020", 1, bias: .pullUp),
            Self.line("1-0020", 2, bias: .disabled), Self.line("1-0021", 0, bias: .pullDown),
            Self.line("pcf8574", 0, bias: .pullUp), Self.line("gone", 0, bias: .pullUp),
            Self.line("1-0022", 0, bias: .pullUp),
        ])
        expectEqual(
            remarks.map(\.cause),
            [
                "Linux cannot switch on a pull-up in mcp23017 at 1-0020",
                "Linux cannot switch on a pull-down in mcp23017 at 1-0021",
                "Linux cannot switch on a pull-up in 1-0022",
            ])
        expectEqual(remarks.map(\.lines), [["1-0020:0", "1-0020:1"], ["1-0021:0"], ["1-0022:0"]])
    }

    /// What the file says of a chip is compared with the chip that is there: by its label or the
    /// name of its device, and by its lines.
    @Test(
        arguments: [
            ("1-0020", "mcp23017", nil, nil),
            (
                "1-0020", "mcp23018",
                "`left` is a mcp23018 with 16 lines in the panel file, and mcp23017 at 1-0020 is a "
                    + "mcp23017 with 16 lines",
                false
            ),
            (
                "1-0038", "mcp23017",
                "`left` is a mcp23017 with 16 lines in the panel file, and pcf8574 at 1-0038 is a "
                    + "pcf8574 with 8 lines",
                true
            ),
            // A driver whose labels say nothing: the name of the device does.
            ("1-0022", "pca9535", nil, nil),
            (
                "1-0022", "pca9505",
                "`left` is a pca9505 with 40 lines in the panel file, and 1-0022 is a pca9535 with "
                    + "16 lines",
                true
            ),
            // A chip of which only the lines are known.
            ("1-0023", "pca9555", nil, nil),
            (
                "1-0023", "pca9554",
                "`left` is a pca9554 with 8 lines in the panel file, and board-chip at 1-0023 has "
                    + "16 lines",
                true
            ),
            // Two chips have this label, one is not there, and one cannot be opened.
            ("mcp23017", "pca9505", nil, nil), ("1-0024", "pca9505", nil, nil),
            ("1-0025", "pca9505", nil, nil),
        ] as [(String, String, String?, Bool?)])
    func aChipThatIsNotWhatTheFileSaysIsTold(
        device: String, model: String, cause: String?, isOtherSize: Bool?
    ) throws {
        var chips = Self.twins
        chips.append(Machine.chip(4, "1-0022", parent: "1-0022", lines: 16))
        chips[3].model = "pca9535"
        chips.append(Machine.chip(5, "board-chip", parent: "1-0023", lines: 16))
        chips.append(Machine.chip(6, "", parent: "1-0025", lines: 0))
        chips[5].errno = 13
        let claim = ModelClaim(
            name: "left", device: device, model: try #require(ChipModel(named: model)))
        let remarks = GPIODInventory(chips: chips).modelRemarks(of: [claim])
        expectEqual(remarks.map(\.cause), [cause].compactMap(\.self))
        expectEqual(remarks.map(\.isOtherSize), [isOtherSize].compactMap(\.self))
    }

    /// Who writes what the remedy says hears nothing more.
    @Test func theRemedyOfAnotherModelHelps() throws {
        let inventory = GPIODInventory(chips: Self.twins)
        var claim = ModelClaim(
            name: "left", device: "1-0020", model: try #require(ChipModel(named: "pca9505")))
        let remedy = try #require(inventory.modelRemarks(of: [claim]).first?.remedy)
        expectEqual(
            remedy,
            "write `model: mcp23017` for `left` in `chips`, or correct its place there")
        claim.model = try #require(ChipModel(named: "mcp23017"))
        expectEqual(inventory.modelRemarks(of: [claim]), [])
    }
}

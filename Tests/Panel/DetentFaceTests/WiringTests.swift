import DetentPanel
import TestSupport
import Testing

@testable import DetentFace

/// The wires of a panel on the header of its board.
@Suite struct WiringTests {
    private func wiring(_ plan: PanelPlan) throws -> Wiring {
        let name = try #require(plan.board)
        let board = try #require(BoardCatalogue.builtIn.board(named: name).board)
        return Wiring(plan, on: board)
    }

    private func wiring(
        on board: String, more: String = "", _ controls: String
    ) throws -> Wiring {
        let text = "panel: Test\nboard: \(board)\n\(more)controls:\n" + controls
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        return try wiring(try #require(reading.plan, "\(reading.problems)"))
    }

    /// The lines of this panel are all on port expanders.
    private static let names = FaceTests.names.filter { $0 != "flight-overhead" }

    @Test(arguments: Self.names) func everyLineHasItsPinAndItsCommon(name: String) throws {
        let plan = try FaceTests.plan(name)
        let wiring = try wiring(plan)
        expectEqual(wiring.wires.count, plan.lines.count)
        let used = wiring.wires.compactMap(\.pin)
        expectEqual(used.count, plan.lines.count, "\(wiring.notes)")
        for (place, pin) in used.enumerated() {
            #expect(!used[..<place].contains(pin), "\(pin) has two lines")
        }
        for wire in wiring.wires {
            let common = try #require(wire.common, "\(wire.id) \(wire.use)")
            let header = try #require(wiring.board.headers.first { $0.name == common.header })
            let kind = try #require(header.pin(common.number)).kind
            #expect(kind == .ground || kind == .power)
        }
    }

    /// The driver of an expander on a Raspberry Pi has a line of its own, and its floating inputs
    /// have resistors.
    @Test func anExpanderHasItsOverlay() throws {
        let wiring = try wiring(
            on: "raspberry-pi-4b",
            more: "chips: {left: {i2c: 1-0020, model: mcp23017, interrupt: GPIO4}}\n",
            "  lamp: {kind: switch, label: Lamp, input: left.0}\n")
        let overlay = "`dtoverlay=mcp23017,addr=0x20,gpiopin=4`"
        #expect(wiring.notes.contains("For /boot/firmware/config.txt: \(overlay)."))
        #expect(wiring.parts.contains { $0.name.contains("10 kΩ") }, "\(wiring.parts)")
    }

    /// Four contacts of a selector need one common wire, to the ground beside them.
    @Test func aPartHasOneCommonWire() throws {
        let wires = try wiring(FaceTests.plan("lab-supply")).wires
        let range = wires.filter { $0.id == "range" }
        expectEqual(range.map(\.use), ["2 V", "20 V", "200 V", "1 kV"])
        expectEqual(range.map { $0.pin?.number }, [29, 31, 33, 35])
        #expect(range.allSatisfy { $0.common?.number == 30 })
        let knob = wires.filter { $0.id == "set-point" }
        expectEqual(knob.map(\.use), ["a", "b", "push"])
        expectEqual(Set(knob.map { $0.common?.number }).count, 1)
    }

    /// As long as a ground is free, no ground has two wires.
    @Test func groundsAreSharedOnlyWhenAllAreInUse() throws {
        let pins = [
            "GPIO17", "GPIO27", "GPIO22", "GPIO23", "GPIO24", "GPIO25", "GPIO5", "GPIO6",
            "GPIO12",
        ]
        func grounds(_ count: Int) throws -> [Int: Int] {
            let controls = pins.prefix(count).enumerated().map {
                "  b\($0): {kind: button, label: Bell \($0), input: \($1)}\n"
            }
            let wires = try wiring(on: "raspberry-pi-5", controls.joined()).wires
            return Dictionary(grouping: wires.compactMap { $0.common?.number }) { $0 }
                .mapValues(\.count)
        }
        #expect(try grounds(8).values.allSatisfy { $0 == 1 })
        expectEqual(try grounds(9).values.sorted(), [1, 1, 1, 1, 1, 1, 1, 2])
    }

    /// A closed contact of an active-high input, and a lamp lit by a low line, need the supply.
    @Test func polarityDecidesTheOtherSide() throws {
        let wires = try wiring(
            on: "raspberry-pi-5",
            """
              one:
                kind: switch
                label: One
                input: {line: GPIO17, active: high, bias: pull-down}
                indicator: {line: GPIO27, active: low}
              two: {kind: switch, label: Two, input: GPIO22, indicator: GPIO23}

            """
        ).wires
        expectEqual(wires.map { $0.common?.name }, ["3V3", "3V3", "GND", "GND"])
    }

    /// The wiper goes to the converter, one end to ground, the other one to the supply.
    @Test func aPotentiometerHasThreeLegs() throws {
        let wiring = try wiring(
            on: "raspberry-pi-5",
            """
              volume:
                kind: dial
                label: Volume
                analog: {device: ads1015, channel: 0, ends: [120, 26200]}
                range: {min: 0, max: 100}

            """
        )
        let wire = try #require(wiring.wires.first)
        expectEqual(wire.line, "ads1015:0")
        expectEqual(wire.use, "wiper")
        #expect(wire.pin == nil)
        expectEqual(wire.common?.name, "GND")
        guard case .wiper(let supply) = wire.through else {
            return #expect(Bool(false), "\(wire.through)")
        }
        expectEqual(supply?.name, "3V3")
        let text = WiringText.text(wiring)
        #expect(text.contains("volume   wiper  ads1015:0  -"), "\(text)")
        #expect(text.contains("the wiper of 10 kΩ; its other end to pin 1 3V3"), "\(text)")
        expectEqual(wiring.parts.map(\.name), ["knob"])
        #expect(WiringDrawing.svg(wiring).contains("data-control=\"volume\""))
    }

    @Test func pullsAreInsideOnTheBoardOrFitted() throws {
        func pull(_ board: String, _ input: String) throws -> Wiring.Pull? {
            let wires = try wiring(
                on: board, "  a: {kind: button, label: Bell, input: \(input)}\n"
            ).wires
            guard case .contact(let pull) = wires[0].through else { return nil }
            return pull
        }
        expectEqual(try pull("raspberry-pi-5", "GPIO17"), .inside)
        expectEqual(
            try pull("raspberry-pi-5", "GPIO2"), .onBoard("fixed 1.8k pull-up to 3V3"))
        let supply = Wiring.Pin(header: "J8", number: 17, name: "3V3")
        expectEqual(
            try pull("raspberry-pi-5", "{line: GPIO17, bias: disabled}"), .external(supply))
        // The kernel of this board ignores a bias.
        guard case .external(let pin?) = try pull("jetson-orin-nano", "pin 11") else {
            Issue.record("no external resistor")
            return
        }
        expectEqual(pin.name, "3V3")
    }

    @Test func lampResistorsFollowTheCurrent() throws {
        func text(_ current: String) throws -> (Wiring, String) {
            let wiring = try wiring(
                on: "raspberry-pi-5", more: "lamp-current: \(current)\n",
                "  a: {kind: switch, label: Pump, input: GPIO17, indicator: GPIO27}\n")
            return (wiring, WiringText.text(wiring))
        }
        let (five, fiveText) = try text("5mA")
        expectEqual(five.wires[1].through, .lamp(.red, ohms: 270))
        #expect(fiveText.contains("green   2.2 V  220 Ω"))
        #expect(fiveText.contains("blue    3.2 V  needs a transistor"))
        expectEqual(try text("2mA").0.wires[1].through, .lamp(.red, ohms: 680))
        let (none, noneText) = try text("0mA")
        expectEqual(none.wires[1].through, .lampDriver(nil))
        #expect(none.parts.contains { $0.name.hasPrefix("NPN transistor") && $0.count == 1 })
        #expect(noneText.contains("every lamp has a transistor"))
    }

    /// A resistor never lets a lamp draw more than its current, and E12 has no nearer value.
    @Test func resistorsAreTheNextOfTheSeries() {
        for ohms in 1...100_000 {
            let value = Resistor.e12(atLeast: ohms)
            #expect(value >= ohms)
            if ohms > 10 { #expect(Double(value) < Double(ohms) * 1.25) }
        }
        expectEqual(Resistor.text(4_700), "4.7 kΩ")
        expectEqual(Resistor.text(10_000), "10 kΩ")
        expectEqual(Resistor.text(270), "270 Ω")
    }

    /// An output with `on-crash` gets the resistor that `detent check` asks for.
    @Test func crashLevelsAreHeldByAResistor() throws {
        let wiring = try wiring(
            on: "raspberry-pi-5",
            """
              key:
                kind: switch
                label: Key
                input: GPIO17
                output: GPIO27
                on-crash: off

            """)
        guard case .load(let hold?) = wiring.wires[1].through else {
            Issue.record("\(wiring.wires[1].through)")
            return
        }
        expectEqual(hold.name, "GND")
        #expect(wiring.parts.contains { $0.name == "resistor 10 kΩ, to hold a level" })
    }

    /// A header whose supply is above the logic voltage offers none.
    @Test func aSupplyAboveTheLogicVoltageIsNotProposed() throws {
        let wiring = try wiring(
            on: "radxa-rock-4",
            """
              a:
                kind: switch
                label: Pump
                input: {line: pin 11, active: high, bias: pull-down}

            """)
        #expect(wiring.wires[0].common == nil)
        #expect(wiring.notes.contains { $0.contains("must not see more than its logic voltage") })
    }

    @Test func linesOfAnExpanderAreNamed() throws {
        let wiring = try wiring(
            on: "raspberry-pi-5",
            "  a: {kind: button, label: Bell, input: {chip: mcp23017, offset: 3}}\n")
        #expect(wiring.wires[0].pin == nil)
        #expect(wiring.notes.contains { $0.contains("a contact (mcp23017:3)") })
    }

    /// Linux switches no resistor on in some expanders: the list of parts has one.
    @Test(arguments: [
        ("mcp23017", "", "3V3"), ("mcp23017", ", active: high, bias: pull-down", "GND"),
        ("pcf8574", "", nil), ("pcal6416", "", nil),
    ])
    func anExpanderWithoutPullUpsGetsResistors(chip: String, more: String, rest: String?) throws {
        let wiring = try wiring(
            on: "raspberry-pi-5",
            "  a: {kind: button, label: Bell, input: {chip: \(chip), offset: 3\(more)}}\n")
        let resistors = wiring.parts.filter { $0.name == "resistor 10 kΩ, to hold a level" }
        expectEqual(resistors.map(\.count), rest == nil ? [] : [1])
        guard let rest else { return expectEqual(wiring.wires[0].through, .contact(.inside)) }
        guard case .contact(.external(let pin?)) = wiring.wires[0].through else {
            Issue.record("\(wiring.wires[0].through)")
            return
        }
        expectEqual(pin.name, rest)
    }

    @Test(arguments: Self.names) func drawingAndTextShowEveryWire(name: String) throws {
        let wiring = try wiring(FaceTests.plan(name))
        let text = WiringText.text(wiring)
        let svg = WiringDrawing.svg(wiring)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
        for wire in wiring.wires {
            #expect(text.contains("\(wire.id) \(wire.use)"))
        }
        // Each part has its label, and one wire for each of its lines and each of its commons.
        for parts in Dictionary(grouping: wiring.wires, by: \.control).values {
            let box = try #require(svg.split(separator: "data-control=\"\(parts[0].id)\"").last)
                .split(separator: "</g>")[0]
            let title = wiring.labels[parts[0].control].replacing("&", with: "&amp;")
            #expect(box.contains(">\(title)</text>"))
            for wire in parts { #expect(box.contains(">\(wire.use)")) }
            let commons = parts.flatMap { [$0.common, $0.pulled] }.compactMap { $0 }
            expectEqual(
                box.ranges(of: "class=\"wire ").count,
                parts.count + Set(commons.map { "\($0.header) \($0)" }).count)
        }
        for line in text.split(separator: "\n") { #expect(line.last != " ") }
    }
}

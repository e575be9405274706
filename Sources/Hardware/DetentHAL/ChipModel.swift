public import DetentTypes

/// What is known of a model of port expanders, and of how its driver in Linux works.
public struct ChipModel: Equatable, Sendable {
    /// What holds an input at rest.
    public enum Pull: Equatable, Sendable {
        /// Nothing: no resistor inside the chip is ever switched on.
        case absent
        /// A resistor inside the chip that pulls up, whatever a line asks for.
        case fixedUp
        /// The resistor that a line asks for.
        case asAsked
    }

    /// The name in lower case, such as `mcp23017`: that of the I2C device.
    public let name: String
    /// How many lines it has.
    public let lines: UInt32
    /// What holds its inputs at rest.
    public let pull: Pull
    /// Whether its driver reads all lines at once; otherwise each line is a transfer of its own.
    public let readsWhole: Bool
    /// Whether it has an output for interrupts.
    public let hasInterrupt: Bool

    /// The model that a chip of this name is; nil if none is known.
    ///
    /// - Parameter name: the label, or the name of the I2C device. Both are names of models, such
    ///   as `mcp23017`; the label of an SPI device ends with its address (`mcp23s17.0`).
    public init?(named name: String) {
        let word = name.prefix { $0 != "." }.lowercased()
        guard let model = Self.all.first(where: { $0.name == word }) else { return nil }
        self = model
    }

    private init(
        _ name: String, _ lines: UInt32, _ pull: Pull, readsWhole: Bool, hasInterrupt: Bool
    ) {
        self.name = name
        self.lines = lines
        self.pull = pull
        self.readsWhole = readsWhole
        self.hasInterrupt = hasInterrupt
    }

    /// Every model, by families of drivers.
    public static let all: [ChipModel] = microchip + plain + pulledUp + agile + quasi

    /// pinctrl-mcp23s08. The chips have pull-ups that it does not switch on for a line: register
    /// GPPU stays 0 (Linux 6.1, by Tests/Kernel; 6.6 and 6.12, by reports).
    private static let microchip = [
        ("mcp23008", 8), ("mcp23017", 16), ("mcp23018", 16), ("mcp23s08", 8), ("mcp23s17", 16),
        ("mcp23s18", 16),
    ].map { ChipModel($0.0, $0.1, .absent, readsWhole: false, hasInterrupt: true) }

    /// gpio-pca953x; the chips have no resistors, by their data sheets.
    private static let plain =
        [
            ("pca9506", 40), ("pca9534", 8), ("pca9535", 16), ("pca9538", 8), ("pca9539", 16),
            ("tca6408", 8), ("tca6416", 16), ("tca6424", 24), ("tca9535", 16), ("tca9539", 16),
        ].map { ChipModel($0.0, $0.1, .absent, readsWhole: true, hasInterrupt: true) } + [
            ChipModel("pca9557", 8, .absent, readsWhole: true, hasInterrupt: false)
        ]

    /// gpio-pca953x; 100 kΩ that is always on, by the data sheets.
    private static let pulledUp =
        [
            ("pca9505", 40), ("pca9554", 8), ("pca9555", 16), ("tca9554", 8), ("tca9555", 16),
        ].map { ChipModel($0.0, $0.1, .fixedUp, readsWhole: true, hasInterrupt: true) } + [
            ChipModel("pca9536", 4, .fixedUp, readsWhole: true, hasInterrupt: false)
        ]

    /// gpio-pca953x, which sets the resistors of the models `pcal…` alone.
    private static let agile = [
        ("pcal6408", 8), ("pcal6416", 16), ("pcal6524", 24), ("pcal9535", 16), ("pcal9554b", 8),
        ("pcal9555a", 16),
    ].map { ChipModel($0.0, $0.1, .asAsked, readsWhole: true, hasInterrupt: true) }

    /// gpio-pcf857x; a current of 100 µA, by the data sheets: inputs are outputs that are weakly
    /// high. Before Linux 6.4, the driver reads the chip once for each line.
    private static let quasi = [
        ("pcf8574", 8), ("pcf8574a", 8), ("pcf8575", 16), ("pca8574", 8), ("pca8575", 16),
        ("pca9670", 8), ("pca9671", 16), ("pca9672", 8), ("pca9673", 16), ("pca9674", 8),
        ("pca9675", 16), ("max7328", 8), ("max7329", 8),
    ].map { ChipModel($0.0, $0.1, .fixedUp, readsWhole: false, hasInterrupt: true) }

    /// Why an input with this bias does not rest at its level, and what to do; nil if it does.
    ///
    /// Linux does not refuse a resistor that a driver cannot switch on: the line is an input, and
    /// floats.
    /// - Parameters:
    ///   - chip: the chip as the message names it.
    ///   - fix: what is written in the panel file for a line with a resistor of its own.
    public func fault(
        of bias: Bias, in chip: String, fix: String = "{line: NAME, bias: disabled}"
    ) -> (cause: String, remedy: String)? {
        switch (pull, bias) {
        case (.absent, .pullUp):
            (
                "Linux cannot switch on a pull-up in \(chip)",
                "fit a resistor of 10 kΩ from the line of each contact to the logic voltage, and "
                    + "write `\(fix)`"
            )
        case (.absent, .pullDown):
            (
                "Linux cannot switch on a pull-down in \(chip)",
                "fit a resistor of 10 kΩ from the line of each contact to ground, and write "
                    + "`\(fix)`"
            )
        case (.fixedUp, .pullDown):
            (
                "\(chip) pulls its lines up, and cannot pull them down",
                "wire each contact to ground, and remove `active: high` and `bias: pull-down`"
            )
        case (.absent, .asIs), (.absent, .disabled), (.fixedUp, .asIs), (.fixedUp, .disabled),
            (.fixedUp, .pullUp), (.asAsked, .asIs), (.asAsked, .disabled), (.asAsked, .pullUp),
            (.asAsked, .pullDown):
            nil
        }
    }

    /// The number of the line that a data sheet calls by a name: `GPA0` to `GPB7` of an MCP23017,
    /// `P00` to `P17` or `IO0_0` of chips with 16 lines, `GP3`, `P3` and `IO3` of others; nil for
    /// other names.
    public func line(labelled label: String) -> UInt32? {
        let label = label.uppercased()
        let digits = label.drop { !$0.isNumber }.filter { $0 != "_" && $0 != "." }
        guard let number = UInt32(digits, radix: 8), digits.count <= 2 else { return nil }
        let found: UInt32? =
            switch (label.prefix { !$0.isNumber }, digits.count) {
            case ("GPA", 1) where lines == 16: number
            case ("GPB", 1) where lines == 16: 8 + number
            case ("GP", 1) where lines == 8, ("P", 1) where lines <= 8, ("IO", 1) where lines <= 8:
                number
            case ("P", 2) where lines > 8, ("IO", 2) where lines > 8: number
            default: nil
            }
        return found.flatMap { $0 < lines ? $0 : nil }
    }

    /// How long its bus takes for one transfer: of all lines where the driver reads them at once,
    /// else of one.
    ///
    /// I2C at 100 kHz, the default of the Raspberry Pi: 90 µs for each byte, of which three are
    /// addresses. SPI at 1 MHz or more: below 50 µs.
    public var readTime: TimeSpan {
        if name.contains("23s") { return .microseconds(50) }
        let bytes = readsWhole ? (lines + 7) / 8 : lines > 8 ? 2 : 1
        return .microseconds(90 * UInt64(3 + bytes))
    }

    /// The line for config.txt of a Raspberry Pi that loads the driver; nil where the system has
    /// no overlay for it.
    ///
    /// - Parameters:
    ///   - address: on the bus I2C 1.
    ///   - interrupt: the number of the Pi's GPIO line at the interrupt output; nil without one.
    public func overlayLine(address: UInt16, interrupt: UInt32?) -> String? {
        let place = "addr=0x" + String(address, radix: 16)
        switch name {
        case "mcp23017", "mcp23008":
            let model = name == "mcp23008" ? ",mcp23008" : ""
            let wire = interrupt.map { "gpiopin=\($0)" } ?? "noints"
            return "dtoverlay=mcp23017,\(place),\(wire)\(model)"
        // These two overlays know no interrupt.
        case _ where interrupt != nil: return nil
        case "pcf8574", "pcf8574a", "pcf8575", "pca8574":
            return "dtoverlay=pcf857x,\(name),\(place)"
        case "pca9505", "pca9506", "pca9534", "pca9535", "pca9536", "pca9538", "pca9539",
            "pca9554", "pca9555", "pca9557", "tca6408", "tca6416", "tca6424", "tca9539",
            "tca9554", "pcal6408", "pcal6416", "pcal6524", "pcal9535", "pcal9554b", "pcal9555a":
            return "dtoverlay=pca953x,\(name),\(place)"
        default: return nil
        }
    }
}

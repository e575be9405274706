/// What holds the inputs of a port expander at rest, where it is not the resistor that a line asks
/// for.
///
/// Linux does not refuse a resistor that a driver cannot switch on: the line is an input, and
/// floats.
public enum ChipPull: Equatable, Sendable {
    /// Nothing: no resistor inside the chip is ever switched on.
    case absent
    /// A resistor inside the chip that pulls up, whatever a line asks for.
    case fixedUp

    /// What is known about a chip of this name; nil if its resistors work, or nothing is known.
    ///
    /// - Parameter name: the label, or the name of the I2C device. Both are names of models, such
    ///   as `mcp23017`; the label of an SPI device ends with its address (`mcp23s17.0`).
    public init?(chip name: String) {
        let model = name.prefix { $0 != "." }.lowercased()
        if Self.withoutPulls.contains(model) {
            self = .absent
        } else if Self.pulledUp.contains(model) {
            self = .fixedUp
        } else {
            return nil
        }
    }

    /// The MCP23xxx have pull-ups that pinctrl-mcp23s08 does not switch on for a line: register
    /// GPPU stays 0 (Linux 6.1, by Tests/Kernel; 6.6 and 6.12, by reports).
    /// The others have none: gpio-pca953x sets the resistors of the models `pcal…` alone.
    private static let withoutPulls: Set<String> = [
        "mcp23008", "mcp23017", "mcp23018", "mcp23s08", "mcp23s17", "mcp23s18",
        "pca9506", "pca9534", "pca9535", "pca9538", "pca9539",
        "tca6408", "tca6416", "tca6424", "tca9535", "tca9539",
    ]

    /// By their data sheets: 100 kΩ in the models of gpio-pca953x, a current of 100 µA in those of
    /// gpio-pcf857x, whose inputs are outputs that are weakly high.
    private static let pulledUp: Set<String> = [
        "pca9505", "pca9554", "pca9555", "tca9554", "tca9555",
        "pcf8574", "pcf8574a", "pcf8575", "pca8574", "pca8575", "pca9670", "pca9671", "pca9672",
        "pca9673", "pca9674", "pca9675", "max7328", "max7329",
    ]

    /// Why an input with this bias does not rest at its level, and what to do; nil if it does.
    ///
    /// - Parameter chip: the chip as the message names it.
    public func fault(of bias: Bias, in chip: String) -> (cause: String, remedy: String)? {
        switch (self, bias) {
        case (.absent, .pullUp):
            (
                "Linux cannot switch on a pull-up in \(chip)",
                "fit a resistor of 10 kΩ from the line of each contact to the logic voltage, and "
                    + "write `bias: disabled`"
            )
        case (.absent, .pullDown):
            (
                "Linux cannot switch on a pull-down in \(chip)",
                "fit a resistor of 10 kΩ from the line of each contact to ground, and write "
                    + "`bias: disabled`"
            )
        case (.fixedUp, .pullDown):
            (
                "\(chip) pulls its lines up, and cannot pull them down",
                "wire each contact to ground, and remove `active: high` and `bias: pull-down`"
            )
        case (.absent, .asIs), (.absent, .disabled), (.fixedUp, .asIs), (.fixedUp, .disabled),
            (.fixedUp, .pullUp):
            nil
        }
    }
}

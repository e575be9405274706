import DetentHAL
import TestSupport
import Testing

/// What is known of the resistors of port expanders.
@Suite struct ChipPullTests {
    @Test(arguments: [
        ("mcp23017", ChipPull.absent), ("mcp23s17.0", .absent), ("MCP23008", .absent),
        ("pca9535", .absent), ("pca9555", .fixedUp), ("pcf8574", .fixedUp), ("pcal6416", nil),
        ("pinctrl-rp1", nil), ("1-0020", nil), ("", nil), (".", nil),
    ])
    func modelsAreKnownByName(name: String, pull: ChipPull?) {
        expectEqual(ChipPull(chip: name), pull)
    }

    @Test(arguments: [
        (ChipPull.absent, Bias.pullUp, "Linux cannot switch on a pull-up in X", "logic voltage"),
        (.absent, .pullDown, "Linux cannot switch on a pull-down in X", "to ground"),
        (.fixedUp, .pullDown, "X pulls its lines up, and cannot pull them down", "to ground"),
    ])
    func aMissingResistorIsTold(pull: ChipPull, bias: Bias, cause: String, remedy: String) {
        let fault = pull.fault(of: bias, in: "X")
        expectEqual(fault?.cause, cause)
        expectEqual(fault?.remedy.contains(remedy), true)
    }

    @Test(arguments: [
        (ChipPull.absent, Bias.asIs), (.absent, .disabled), (.fixedUp, .asIs),
        (.fixedUp, .disabled), (.fixedUp, .pullUp),
    ])
    func whereNothingIsMissingNothingIsSaid(pull: ChipPull, bias: Bias) {
        #expect(pull.fault(of: bias, in: "X") == nil)
    }
}

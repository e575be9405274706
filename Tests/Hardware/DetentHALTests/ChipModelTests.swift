import DetentHAL
import DetentTypes
import TestSupport
import Testing

/// What is known of models of port expanders.
@Suite struct ChipModelTests {
    @Test(arguments: [
        ("mcp23017", ChipModel.Pull.absent, 16), ("mcp23s17.0", .absent, 16),
        ("MCP23008", .absent, 8), ("pca9535", .absent, 16), ("pca9555", .fixedUp, 16),
        ("pca9505", .fixedUp, 40), ("pcf8574", .fixedUp, 8), ("pcal6416", .asAsked, 16),
        ("pinctrl-rp1", nil, 0), ("1-0020", nil, 0), ("", nil, 0), (".", nil, 0),
    ])
    func modelsAreKnownByName(name: String, pull: ChipModel.Pull?, lines: UInt32) {
        let model = ChipModel(named: name)
        expectEqual(model?.pull, pull)
        expectEqual(model?.lines ?? 0, lines)
    }

    @Test func eachModelIsThereOnce() {
        expectEqual(Set(ChipModel.all.map(\.name)).count, ChipModel.all.count)
    }

    @Test(arguments: [
        ("mcp23017", Bias.pullUp, "Linux cannot switch on a pull-up in X", "logic voltage"),
        ("mcp23017", .pullDown, "Linux cannot switch on a pull-down in X", "to ground"),
        ("pca9505", .pullDown, "X pulls its lines up, and cannot pull them down", "to ground"),
    ])
    func aMissingResistorIsTold(name: String, bias: Bias, cause: String, remedy: String) {
        let fault = ChipModel(named: name)?.fault(of: bias, in: "X")
        expectEqual(fault?.cause, cause)
        expectEqual(fault?.remedy.contains(remedy), true)
    }

    @Test(arguments: [
        ("mcp23017", Bias.asIs), ("mcp23017", .disabled), ("pca9505", .asIs),
        ("pca9505", .disabled), ("pca9505", .pullUp), ("pcal6416", .pullDown),
    ])
    func whereNothingIsMissingNothingIsSaid(name: String, bias: Bias) throws {
        let model = try #require(ChipModel(named: name))
        #expect(model.fault(of: bias, in: "X") == nil)
    }

    /// A driver that reads line by line needs a transfer for each line.
    @Test(arguments: [
        ("mcp23017", 450), ("mcp23008", 360), ("pca9505", 720), ("mcp23s17", 50),
    ]) func readingTakesTime(name: String, micros: UInt64) {
        expectEqual(ChipModel(named: name)?.readTime, .microseconds(micros))
    }

    @Test(arguments: [
        ("mcp23017", UInt32(4), "dtoverlay=mcp23017,addr=0x21,gpiopin=4"),
        ("mcp23008", nil, "dtoverlay=mcp23017,addr=0x21,noints,mcp23008"),
        ("pca9505", nil, "dtoverlay=pca953x,pca9505,addr=0x21"),
        ("pcf8574", nil, "dtoverlay=pcf857x,pcf8574,addr=0x21"),
        ("pca9505", 4, nil), ("max7328", nil, nil),
    ]) func theOverlayIsWritten(name: String, interrupt: UInt32?, line: String?) {
        expectEqual(
            ChipModel(named: name)?.overlayLine(address: 0x21, interrupt: interrupt), line)
    }
}

import DetentHAL

extension Schema {
    /// Keys of a chip.
    static let chipKeys: [KeySpec] = [
        KeySpec(
            .chip, "i2c", .text,
            "Its bus and address, such as `1-0020`: what `detent doctor` shows behind `at`."),
        KeySpec(.chip, "label", .text, "Its label, if no other chip has the same."),
        KeySpec(.chip, "device", .text, "Its parent device, such as `spi0.1`."),
        KeySpec(
            .chip, "model", .words(ChipModel.all.map(\.name)), default: "that of the label",
            "Its model: how many lines it has, what pulls them up, and how fast they can be read. "
                + "See [port expanders](../expanders.md#resistors)."),
        KeySpec(
            .chip, "bias", .words(ContactPlan.Bias.words), default: .word(Defaults.bias),
            "The `bias` of its contacts that have none; `disabled` says that each has a resistor "
                + "outside of the chip."),
        KeySpec(
            .chip, "interrupt", .line,
            "The line of the board at its interrupt output, which nothing else may use. The "
                + "driver must know it, too. Without it, the lines of a known model are polled."),
    ]
}

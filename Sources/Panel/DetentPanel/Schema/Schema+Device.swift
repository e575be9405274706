extension Schema {
    /// Keys of what the device of a control calls its values.
    static let deviceKeys: [KeySpec] = [
        KeySpec(
            .control, "words", .wordsByValue(1...Limits.menuItems),
            default: "the words of the control",
            "The device's words for values, such as `{on: \"ON\", off: \"OFF\"}`. Actions say them "
                + "as `{value}` and `{previous}`, and `feedback`, `query` and `confirm` understand "
                + "them. Not for `set`, outputs, and feedback of a `line` or a `panel`."),
        KeySpec(
            .control, "scale", .decimal, default: .value(Defaults.scale),
            "What a number of the dial is multiplied by for its device; not 0. The device gets "
                + "as many decimals as the dial shows, and more where `scale` is below 1 or "
                + "`offset` has more."),
        KeySpec(
            .control, "offset", .decimal, default: .value(Defaults.offset),
            "What is added then, in the numbers of the device."),
    ]
}

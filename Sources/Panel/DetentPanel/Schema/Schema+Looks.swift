extension Schema {
    /// Keys of what the page shows of a control.
    static let lookKeys: [KeySpec] = [
        KeySpec(
            .control, "show-label", .boolean, default: .value(Defaults.showsLabel),
            "Whether a button shows its label beside its `symbol`, not only the symbol."),
        KeySpec(
            .control, "caption", .text, default: "none",
            "A short text below the `symbol` of a button."),
        KeySpec(
            .control, "subtitle", .text, default: "none",
            "A second line on a button, below its label."),
        KeySpec(
            .control, "style", .words(ButtonStyle.words), default: .word(Defaults.style),
            "How much a button stands out: `prominent` is filled with colour, `plain` has no "
                + "frame."),
        KeySpec(
            .control, "size", .words(ButtonSize.words), default: .word(Defaults.size),
            "How large the page draws a button."),
        KeySpec(
            .control, "help", .text, default: "none",
            "A text that introduces the control, such as a group of options. An `info` button "
                + "reveals it at a press."),
    ]
}

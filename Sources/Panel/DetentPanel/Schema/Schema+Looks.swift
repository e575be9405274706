extension Schema {
    /// Keys of what the page shows of a control.
    static let lookKeys: [KeySpec] = [
        KeySpec(
            .control, "show-label", .boolean, standard: .value(Defaults.showsLabel),
            "Whether a button shows its label beside its `symbol`, not only the symbol."),
        KeySpec(
            .control, "caption", .text, standard: "none",
            "A short text below the `symbol` of a button."),
        KeySpec(
            .control, "subtitle", .text, standard: "none",
            "A second line on a button, below its label."),
        KeySpec(
            .control, "style", .words(ButtonStyle.words), standard: .word(Defaults.style),
            "How much a button stands out: `prominent` is filled with colour, `plain` has no "
                + "frame."),
        KeySpec(
            .control, "size", .words(ButtonSize.words), standard: .word(Defaults.size),
            "How large the page draws a button."),
        KeySpec(
            .control, "help", .text, standard: "none",
            "A text that introduces the control, such as a group of options. An `info` button "
                + "reveals it at a press."),
    ]
}

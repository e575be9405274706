extension Rule {
    /// A device is one display.
    static let displayUsedTwice = Rule(
        "display-used-twice",
        "A device is one display. Two that write to it would overwrite each other's text.")
    /// A display shows a control.
    static let displayUnused = Rule(
        "display-unused", .warning,
        "A display shows a control. One that no control names stays dark.")

    /// The rules of displays.
    static let displays: [Rule] = [displayUsedTwice, displayUnused]
}

extension Rule {
    /// The rules of wording and of the panel as a whole.
    static let lint: [Rule] = [
        labelTitleCase, labelLong, labelTwice, buttonVerb, statesUnlike, statesOnOff, symbolsMixed,
        lampCurrent, crashLevelNotKept, closeAndDone, destructiveWord, destructiveWithoutConfirm,
        destructivePrimary, severalPrimaries, segmentedCount, segmentNoun, segmentTitleCase,
        segmentLengths, switchInGroup, tooManyMenuGroups, menuOfOne, menuOfAll,
    ]
}

extension Rule {
    /// `on-crash` cannot be enforced by Detent alone.
    public static let crashLevelNotKept = Rule(
        "crash-level-not-kept", .warning,
        "`on-crash` cannot be enforced by Detent alone. A killed process cannot drive a line; the "
            + "kernel's driver and the wiring then decide its level.")
}

extension Rule {
    /// The rules of wording and of the panel as a whole.
    static let lint: [Rule] = [
        labelTitleCase, buttonVerb, statesUnlike, symbolsMixed, lampCurrent, crashLevelNotKept,
        closeAndDone, destructiveWithoutConfirm, destructivePrimary, severalPrimaries,
        segmentedCount, tooManyMenuGroups,
    ]
}

extension Rule {
    /// A level after a crash needs help from outside the program.
    public static let crashLevelNotKept = Rule(
        "crash-level-not-kept", .warning,
        "A level after a crash needs help from outside the program. What is killed writes nothing; "
            + "the line then has the level that the kernel's driver and the wiring give it.")
}

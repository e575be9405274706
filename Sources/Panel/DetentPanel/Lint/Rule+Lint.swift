extension Rule {
    /// The rules of wording and of the panel as a whole.
    static let lint: [Rule] = [
        labelTitleCase, labelLong, labelTwice, buttonVerb, statesUnlike, statesOnOff, symbolsMixed,
        lampCurrent, crashLevelNotKept, closeAndDone, destructiveWord, destructiveWithoutConfirm,
        destructivePrimary, severalPrimaries, segmentedCount, segmentNoun, segmentTitleCase,
        segmentLengths, switchInGroup, tooManyMenuGroups, menuOfOne, menuOfAll,
        destructiveLast, menuUnseen, symbolUnknown, symbolMisleads,
        nothingDisclosed, wordLong,
    ]
}

extension Rule {
    static let crashLevelNotKept = Rule(
        "crash-level-not-kept", .warning,
        "`on-crash` holds only while a process drives the line. After a power cut, or after Detent "
            + "has ended, the kernel's driver and the wiring decide its level.")
}

import DetentCore
import DetentTypes

extension Schema {
    static let partKeys: [KeySpec] =
        lineKeys + debounceKeys + gesturePartKeys + contactPartKeys + valuePartKeys + lampKeys
        + rulePartKeys

    private static let lineKeys: [KeySpec] = [
        KeySpec(.line, "line", .text, "The line's name, or `pin 11`."),
        KeySpec(.line, "pin", .text, "The number on the header, such as 11, or P9.12."),
        KeySpec(.line, "chip", .text, "The label of the chip, for lines that no board file names."),
        KeySpec(.line, "offset", .integer(0...65_535), "The line's number on its chip."),
        KeySpec(
            .line, "active", .words(["low", "high"]),
            standard: "low for contacts, high for lamps and outputs",
            "The electrical level at which a contact is closed or a lamp is lit."),
        KeySpec(
            .line, "bias", .words(["pull-up", "pull-down", "disabled", "as-is"]),
            standard: "pull-up",
            "The resistor inside the chip; contacts only."),
        KeySpec(
            .line, "poll", .duration(.microseconds(100)...(.seconds(1))), standard: "2ms",
            "How often the level is read where the line has no interrupt; contacts only."),
    ]

    private static let debounceKeys: [KeySpec] = [
        KeySpec(
            .debounce, "algorithm",
            .words(["none", "eager", "defer", "asymmetric", "integrator"]), standard: "the kind's",
            "How the level of a bouncing contact is found."),
        KeySpec(
            .debounce, "time", milliseconds(0, 10_000),
            standard: "5ms eager, 20ms defer, 50ms integrator",
            "The time of `eager`, `defer` and `integrator`."),
        KeySpec(
            .debounce, "window", .words(["restart", "fixed"]), standard: "restart",
            "What restarts the time of `eager`: every edge, or only the reported one."),
        KeySpec(
            .debounce, "press", milliseconds(0, 10_000), standard: "5ms",
            "How long `asymmetric` reports nothing after a press."),
        KeySpec(
            .debounce, "release", milliseconds(0, 10_000), standard: "5ms",
            "How long the line must be inactive before `asymmetric` reports a release."),
        KeySpec(
            .debounce, "sample", .duration(.microseconds(10)...(.seconds(1))), standard: "1ms",
            "How often `integrator` looks at the line."),
        KeySpec(
            .debounce, "glitch", milliseconds(0, 1_000),
            standard: "0ms; the kind's without "
                + "`algorithm`",
            "Pulses shorter than this are dropped."),
        KeySpec(
            .debounce, "lockout", milliseconds(0, 60_000), standard: "0ms",
            "A press this soon after a reported press does nothing. When it is let go, `refused` "
                + "with the reason `locked-out` is told. A press that is held to the end of the "
                + "time counts then."),
    ]

    private static let gesturePartKeys: [KeySpec] = [
        KeySpec(
            .click, "within", milliseconds(1, 60_000), standard: "any length",
            "Longest press that still is a click."),
        KeySpec(
            .click, "report", .words(["immediate", "postponed"]), standard: "immediate",
            "When: at the release, or when no second click can follow."),
        KeySpec(.multiClick, "count", .integer(2...10), isRequired: true, "How many clicks."),
        KeySpec(
            .multiClick, "gap", milliseconds(1, 10_000), isRequired: true,
            "Largest gap from a release to the next press."),
        KeySpec(
            .repeat, "after", milliseconds(1, 600_000), isRequired: true,
            "First repetition this long after the press."),
        KeySpec(
            .repeat, "every", milliseconds(1, 600_000), isRequired: true,
            "Distance of further repetitions."),
    ]

    private static let contactPartKeys: [KeySpec] = [
        KeySpec(.lever, "up", .line, "The contact closed in the upper position."),
        KeySpec(.lever, "down", .line, "The contact closed in the lower position."),
        KeySpec(.lever, "on", .line, "The contact closed when on."),
        KeySpec(.lever, "off", .line, "The contact closed when off."),
        KeySpec(
            .selector, "lines", .list(.line, 1...Limits.options), isRequired: true,
            "The contacts; the lowest bit first where they are coded."),
        KeySpec(
            .selector, "code", .words(["contacts", "binary", "gray"]), standard: "contacts",
            "A contact for each position, or a code."),
        KeySpec(
            .selector, "none", .text, standard: "every position has a contact",
            "The option of the position that closes no contact; the contacts then stand for the "
                + "other options in order."),
        KeySpec(.encoder, "a", .line, isRequired: true, "Contact A, first to change clockwise."),
        KeySpec(.encoder, "b", .line, isRequired: true, "Contact B."),
        KeySpec(.encoder, "push", .line, "The contact of a knob that can be pressed."),
        KeySpec(
            .encoder, "transitions", .words(["1", "2", "4"]), standard: "4",
            "Transitions from one detent to the next."),
        KeySpec(
            .encoder, "rest", .words(["00", "01", "10", "11"]), standard: "both contacts open",
            "Electrical levels of A and B at a detent."),
    ]

    private static let valuePartKeys: [KeySpec] =
        [
            KeySpec(.range, "min", .decimal, isRequired: true, "The lowest number."),
            KeySpec(.range, "max", .decimal, isRequired: true, "The highest number."),
            KeySpec(.range, "step", .decimal, standard: "1", "What one detent adds."),
            KeySpec(
                .range, "wrap", .boolean, standard: "false", "Whether the other end follows an end."
            ),
            KeySpec(
                .range, "acceleration", .integer(1...100), standard: "1",
                "Largest number of steps a detent: 1 at 10 detents a second or slower, growing to "
                    + "this at 100 and faster."),
            KeySpec(.option, "name", .text, isRequired: true, "The option's name and value."),
            KeySpec(.option, "symbol", .text, "A symbol that the page shows in place of the name."),
            KeySpec(.option, "indicator", .line, "The option's own lamp."),
            KeySpec(
                .option, "action", .section(.action), "What happens when the option is chosen."),
            KeySpec(
                .option, "output", .line, "A line that is driven while the option is chosen."),
            KeySpec(.states, "on", .text, isRequired: true, "The name of on, such as Open."),
            KeySpec(.states, "off", .text, isRequired: true, "The name of off, such as Closed."),
            KeySpec(
                .latch, "tap-or-hold", milliseconds(1, 60_000), isRequired: true,
                "A press up to this latches, a longer one is on while held."),
        ]

    private static let lampKeys: [KeySpec] =
        drivenLineKeys(.indicator) + [
            KeySpec(
                .indicator, "lines", .list(.line, 1...Limits.options),
                "The lamps of a choice, one for each option."),
            KeySpec(.indicator, "patterns", .section(.patterns), "Patterns of these lamps."),
            KeySpec(.indicator, "red", .line, "The red line of a lamp of several colours."),
            KeySpec(
                .indicator, "green", .line, "Its green line; red and green together are amber."),
            KeySpec(
                .indicator, "blue", .line, "Its blue line; without it the lamp has two colours."),
            KeySpec(.indicator, "colors", .section(.colors), "Colours of this lamp."),
            KeySpec(
                .indicator, "brightness", .percent(1...100), standard: "100%",
                "How bright a lit lamp is; below 100% it is switched 100 times a second."),
        ]
        + conditions.map {
            KeySpec(.patterns, $0.name, .words(patternWords), standard: $0.standard, $0.summary)
        }
        + LampCondition.allCases.map { condition in
            KeySpec(
                .colors, condition.word, .words(LampColor.words),
                standard: ColorChoice()[condition].word,
                conditions.first { $0.name == condition.word }?.summary
                    ?? "The value is \(condition.word), and nothing else is to be told.")
        }

    /// The map of a lamp, or of an output that an action drives, is a line's map with more keys.
    static func drivenLineKeys(_ section: Section) -> [KeySpec] {
        lineKeys.compactMap { key in
            guard ["line", "pin", "chip", "offset", "active"].contains(key.name) else { return nil }
            return KeySpec(section, key.name, key.shape, standard: key.standard, key.summary)
        }
    }

    /// The words of the patterns, in the order of `Pattern`.
    static let patternWords = Pattern.allCases.map(\.word)

    private static let conditions: [(name: String, standard: String, summary: String)] = [
        ("fault", "triple-wink", "A line cannot be used."),
        ("failed", "flash-burst", "The action failed."),
        ("loading", "blink", "The action takes its time."),
        ("confirm", "fill", "A confirmation is in progress."),
        ("mismatch", "wink", "The position differs from the state."),
        ("stale", "double-wink", "The device has been silent."),
        ("mixed", "breathe", "Members of a group differ."),
        ("disabled", "slow-wink", "The control is disabled."),
    ]
}

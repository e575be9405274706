import DetentCore
import DetentTypes

extension Schema {
    static let partKeys: [KeySpec] =
        lineKeys + debounceKeys + gesturePartKeys + contactPartKeys + valuePartKeys + lampKeys
        + rulePartKeys + ChannelKind.all.flatMap(\.keys) + ChannelKind.axisKeys
        + ChannelKind.analogKeys + ChannelKind.pwmKeys

    private static let lineKeys: [KeySpec] = [
        KeySpec(.line, "line", .text, "The line's name, or `pin 11`."),
        KeySpec(.line, "pin", .text, "The number on the header, such as 11, or P9.12."),
        KeySpec(
            .line, "chip", .text,
            "A name of `chips`, the label of the chip, or its parent device such as `1-0021` where "
                + "several chips have the label; for lines that are not in a board file."),
        KeySpec(.line, "offset", .integer(0...65_535), "The line's number on its chip."),
        KeySpec(
            .line, "active", .words(["low", "high"]),
            default: "low for contacts, high for lamps and outputs",
            "The electrical level at which a contact is closed or a lamp is lit."),
        KeySpec(
            .line, "bias", .words(ContactPlan.Bias.words),
            default: .word(Defaults.bias),
            "The resistor inside the chip; contacts only."),
        KeySpec(
            .line, "poll", .duration(.microseconds(100)...(.seconds(1))),
            default: "\(DurationText.text(Defaults.polling)) for a line without interrupts",
            "How often the level is read if the line has no interrupt; contacts only."),
    ]

    private static let debounceKeys: [KeySpec] = [
        KeySpec(
            .debounce, "algorithm",
            .words(["none", "eager", "defer", "asymmetric", "integrator"]), default: "the kind's",
            "How the level of a bouncing contact is determined."),
        KeySpec(
            .debounce, "time", milliseconds(0, 10_000),
            default: .value(
                Defaults.eagerTime, "eager",
                others: [(Defaults.deferTime, "defer"), (Defaults.integratorTime, "integrator")]),
            "The time of `eager`, `defer` and `integrator`."),
        KeySpec(
            .debounce, "window", .words(DebounceSettings.EagerWindow.words),
            default: .word(Defaults.window),
            "What restarts the time of `eager`: every edge, or only the reported one."),
        KeySpec(
            .debounce, "press", milliseconds(0, 10_000), default: .value(Defaults.asymmetricTime),
            "How long `asymmetric` ignores the contact after a press."),
        KeySpec(
            .debounce, "release", milliseconds(0, 10_000),
            default: .value(Defaults.asymmetricTime),
            "How long the line must be inactive before `asymmetric` reports a release."),
        KeySpec(
            .debounce, "sample", .duration(.microseconds(10)...(.seconds(1))),
            default: .value(Defaults.integratorSample),
            "How often `integrator` samples the line."),
        KeySpec(
            .debounce, "glitch", milliseconds(0, 1_000),
            default: .value(.zero, note: "; without `algorithm`, the kind's"),
            "Pulses shorter than this are dropped."),
        KeySpec(
            .debounce, "lockout", milliseconds(0, 60_000), default: .value(.zero),
            "A press within this time after a reported press is ignored. Its release is reported "
                + "as `refused` with the reason `locked-out`. If the press is still held at the "
                + "end of the time, it counts from then."),
    ]

    private static let gesturePartKeys: [KeySpec] = [
        KeySpec(
            .click, "within", milliseconds(1, 60_000), default: "any length",
            "The longest press that is a click."),
        KeySpec(
            .click, "report", .words(["immediate", "postponed"]), default: .word("immediate"),
            "When a click is reported: at the release, or when no second click can follow."),
        KeySpec(
            .click, "action", .section(.action),
            "What a push of a dial does."),
        KeySpec(
            .doubleClick, "gap", milliseconds(1, 10_000), isRequired: true,
            "Largest gap from a release to the next press."),
        KeySpec(.doubleClick, "action", .section(.action), "What a double click does."),
        KeySpec(
            .hold, "after", milliseconds(1, 600_000), isRequired: true,
            "A press this long is a hold."),
        KeySpec(.hold, "action", .section(.action), "What a hold does."),
        KeySpec(.multiClick, "action", .section(.action), "What this number of clicks does."),
        KeySpec(.repeat, "action", .section(.action), "What each repetition does."),
        KeySpec(.multiClick, "count", .integer(2...10), isRequired: true, "Number of clicks."),
        KeySpec(
            .multiClick, "gap", milliseconds(1, 10_000), isRequired: true,
            "Largest gap from a release to the next press."),
        KeySpec(
            .repeat, "after", milliseconds(1, 600_000), isRequired: true,
            "Time from the press to the first repetition."),
        KeySpec(
            .repeat, "every", milliseconds(1, 600_000), isRequired: true,
            "Time between further repetitions."),
    ]

    private static let contactPartKeys: [KeySpec] = [
        KeySpec(.lever, "up", .line, "The contact closed in the upper position."),
        KeySpec(.lever, "down", .line, "The contact closed in the lower position."),
        KeySpec(.lever, "on", .line, "The contact closed when on."),
        KeySpec(.lever, "off", .line, "The contact closed when off."),
        KeySpec(
            .selector, "lines", .list(.line, 1...Limits.options), isRequired: true,
            "The contacts; for a code, the lowest bit first."),
        KeySpec(
            .selector, "code", .words(SelectorSettings.Coding.words),
            default: .word(Defaults.coding),
            "One contact for each position, or a code."),
        KeySpec(
            .selector, "none", .text, default: "every position has a contact",
            "The option of the position that closes no contact; the contacts then belong to the "
                + "other options, in order."),
        KeySpec(
            .encoder, "a", .line, isRequired: true, substitute: "axis",
            "Contact A, first to change clockwise."),
        KeySpec(.encoder, "b", .line, isRequired: true, substitute: "axis", "Contact B."),
        KeySpec(.encoder, "push", .line, "The push contact of the knob."),
        KeySpec(
            .encoder, "transitions", .words(["1", "2", "4"]),
            default: .value(Defaults.transitions),
            "Transitions from one detent to the next."),
        KeySpec(
            .encoder, "rest", .words(["00", "01", "10", "11"]), default: "both contacts open",
            "Electrical levels of A and B at a detent."),
    ]

    private static let valuePartKeys: [KeySpec] =
        [
            KeySpec(.range, "min", .decimal, isRequired: true, "The lowest number."),
            KeySpec(.range, "max", .decimal, isRequired: true, "The highest number."),
            KeySpec(
                .range, "step", .decimal, default: .value(Defaults.step),
                "The change for one detent."),
            KeySpec(
                .range, "wrap", .boolean, default: .value(Defaults.wraps),
                "Whether the number wraps from one end to the other."
            ),
            KeySpec(
                .range, "acceleration", .integer(1...100), default: .value(Defaults.acceleration),
                "Largest number of steps per detent: 1 at 10 detents a second or slower, growing "
                    + "to this at 100 or faster."),
            KeySpec(.option, "name", .text, isRequired: true, "The option's name and value."),
            KeySpec(.option, "symbol", .text, "A symbol that the page shows instead of the name."),
            KeySpec(
                .option, "caption", .text, default: "none",
                "A short text below the option's symbol, on a row of buttons."),
            KeySpec(.option, "indicator", .line, "The option's own lamp."),
            KeySpec(
                .option, "action", .section(.action), "What happens when the option is chosen."),
            KeySpec(
                .option, "hold", .section(.hold),
                "What a hold of the option's own button does, on a row of buttons."),
            KeySpec(
                .option, "double-click", .section(.doubleClick),
                "What two clicks of its button do."),
            KeySpec(
                .option, "repeat", .section(.repeat),
                "What happens while its button is held."),
            KeySpec(
                .option, "output", .line, "A line that is driven while the option is chosen."),
            KeySpec(.states, "on", .text, "The name of on, such as Open."),
            KeySpec(.states, "off", .text, "The name of off, such as Closed."),
            KeySpec(.states, "up", .text, "The name of the upper position of a three-way lever."),
            KeySpec(.states, "center", .text, "The name of its centre, such as Off."),
            KeySpec(.states, "down", .text, "The name of the lower position."),
            KeySpec(
                .latch, "tap-or-hold", milliseconds(1, 60_000), isRequired: true,
                "A press up to this long latches; a longer press is on while held."),
        ]

    private static let lampKeys: [KeySpec] =
        drivenLineKeys(.indicator) + [
            KeySpec(
                .indicator, "lines", .list(.line, 1...Limits.options),
                "The lamps of a choice, one for each option."),
            KeySpec(.indicator, "patterns", .section(.patterns), "Patterns of these lamps."),
            KeySpec(.indicator, "red", .line, "The red line of a lamp of several colours."),
            KeySpec(
                .indicator, "green", .line, "Its green line; red and green together make amber."),
            KeySpec(
                .indicator, "blue", .line, "Its blue line; without it the lamp has two colours."),
            KeySpec(.indicator, "colors", .section(.colors), "Colours of this lamp."),
            KeySpec(
                .indicator, "brightness", .measure(.percent, 1...100),
                default: .value(Defaults.brightness, unit: "%"),
                "How bright a lit lamp is; below 100% it is switched 100 times a second, except a "
                    + "lamp with levels, such as a `led`."),
        ]
        + LampCondition.allCases.filter(\.hasPattern).map { condition in
            KeySpec(
                .patterns, condition.word, .words(patternWords),
                default: .word(PatternChoice()[condition].word),
                condition.summary + (condition == .on ? " Only for an `indicator`." : ""))
        }
        + LampCondition.allCases.map { condition in
            KeySpec(
                .colors, condition.word, .words(LampColor.words),
                default: .word(ColorChoice()[condition].word), condition.summary)
        }

    /// The keys of a line that a lamp or an output of an action has too.
    static func drivenLineKeys(_ section: Section) -> [KeySpec] {
        let driven = ["line", "pin", "chip", "offset", "active"]
        let ofDevices = ChannelKind.all.filter { !$0.isInput }.flatMap(\.keys)
        return (lineKeys.filter { driven.contains($0.name) } + ofDevices).map { key in
            KeySpec(section, key.name, key.shape, default: key.defaultValue, key.summary)
        }
    }

    /// The words of the patterns, in the order of `Pattern`.
    static let patternWords = Pattern.allCases.map(\.word)
}

import DetentCore
import DetentTypes

extension Schema {
    static let actionKeys: [KeySpec] =
        work(.action) + [
            KeySpec(
                .action, "sequence", .list(.section(.step), 1...Limits.steps),
                "Steps, one after another; the first that fails ends it."),
            KeySpec(
                .action, "timeout", milliseconds(1, 86_400_000),
                standard: .described(
                    "none for `set` and `wait`; what the waits and pulses of `output` take, "
                        + "and 1s for each write"),
                "Longest time of one attempt; required with `run`, which can hang, and where a "
                    + "sequence with `output` also has `set` or `run`."),
            KeySpec(
                .action, "on-failure", .anyOf([.words(["revert", "keep"]), .section(.onFailure)]),
                standard: .word("revert"),
                "What follows a failure: the value returns, or it stays, or it is tried again."),
            KeySpec(
                .action, "supersede", .words(["wait", "cancel", "ignore"]), standard: .word("wait"),
                "What a new intent does while an attempt runs: waits, stops it, or is refused."),
            KeySpec(
                .action, "loading-after", milliseconds(0, 60_000),
                standard: .value(ActionSettings.usualLoadingAfter),
                "The phase is `loading` if nothing is confirmed this long after the intent."),
            KeySpec(
                .action, "loading-min", milliseconds(0, 60_000),
                standard: .value(ActionSettings.usualLoadingMinimum),
                "The lamp shows loading at least this long."),
            KeySpec(
                .action, "failed-for", milliseconds(0, 3_600_000),
                standard: .value(ActionSettings().failedFor),
                "How long `failed` shows if nobody touches the control."),
            KeySpec(
                .onFailure, "retry", .section(.retry), isRequired: true,
                "Further attempts after a failure."),
            KeySpec(.retry, "count", .integer(1...100), isRequired: true, "How many."),
            KeySpec(
                .retry, "backoff", milliseconds(0, 3_600_000), standard: .value(Defaults.backoff),
                "The time before the first of them; it doubles each time."),
            KeySpec(
                .retry, "then", .words(["revert", "keep"]), standard: .word("revert"),
                "What follows when all of them have failed."),
            KeySpec(
                .query, "run", .arguments, isRequired: true,
                "A program and its arguments; never a shell. `{control}` is replaced."),
            KeySpec(
                .query, "timeout", milliseconds(1, 86_400_000), isRequired: true,
                "Longest time of one question; without an answer the value stays unconfirmed."),
        ] + work(.step) + [
            KeySpec(
                .step, "timeout", milliseconds(1, 86_400_000),
                standard: "that of the whole action",
                "Longest time of the program of this step.")
        ] + outputStepKeys + KeySpec.later(.action, "http", "mqtt")
        + KeySpec.later(.step, "http", "mqtt")

    /// What an action does, and what a step of a sequence does.
    private static func work(_ section: Section) -> [KeySpec] {
        [
            KeySpec(
                section, "run", .arguments,
                "A program and its arguments; never a shell. `{value}`, `{previous}`, `{control}` "
                    + "and `{origin}` are replaced."),
            KeySpec(
                section, "output", .anyOf([.text, .section(.outputStep)]),
                "Drives an output, and is done when that was really written."),
            KeySpec(
                section, "set", .valuesByControl,
                "Asks other controls for values, each when the one before has confirmed its own: "
                    + "a value, `press` for a button, an item of a menu, or `{value}` for this "
                    + "control's own value by its word."),
            KeySpec(section, "wait", milliseconds(1, 86_400_000), "Lets time pass."),
        ]
    }

    private static let outputStepKeys: [KeySpec] =
        drivenLineKeys(.outputStep) + [
            KeySpec(
                .outputStep, "level", .words(["on", "off"]), standard: .word("on"),
                "`on` is active, `off` inactive."),
            KeySpec(
                .outputStep, "pulse", milliseconds(1, 3_600_000), standard: "none",
                "Active for so long, counted from the write, then inactive."),
        ]
}

import DetentCore
import DetentTypes

extension Schema {
    /// The keys of actions: those of each kind, and those that all kinds share.
    static func actionKeys(_ kinds: [ActionKind]) -> [KeySpec] {
        kinds.map { $0.key(in: .action) } + sharedActionKeys
            + kinds.filter(\.canBeStep).map { $0.key(in: .step) } + stepKeys
            + kinds.filter(\.canAnswer).map { $0.key(in: .query) }
            + kinds.flatMap(\.keys)
    }

    private static let sharedActionKeys: [KeySpec] =
        [
            KeySpec(
                .action, "timeout", milliseconds(1, 86_400_000),
                default: .described(
                    "none for `set` and `wait`; for `output`, the sum of its waits and pulses, "
                        + "plus 1s for each write"),
                "Longest time of one attempt; required with `run`, and if a sequence with `output` "
                    + "also has `set` or `run`."),
            KeySpec(
                .action, "on-failure", .anyOf([.words(["revert", "keep"]), .section(.onFailure)]),
                default: .word("revert"),
                "What happens after a failure: the value is reverted, or kept, or the action is "
                    + "retried."),
            KeySpec(
                .action, "supersede", .words(["wait", "cancel", "ignore"]), default: .word("wait"),
                "What happens to a new request while an attempt runs: it waits, stops the attempt, "
                    + "or is refused."),
            KeySpec(
                .action, "loading-after", milliseconds(0, 60_000),
                default: .value(ActionSettings.defaultLoadingAfter),
                "The phase becomes `loading` if nothing is confirmed within this time after the "
                    + "request."),
            KeySpec(
                .action, "loading-min", milliseconds(0, 60_000),
                default: .value(ActionSettings.defaultLoadingMinimum),
                "The lamp shows `loading` for at least this long."),
            KeySpec(
                .action, "failed-for", milliseconds(0, 3_600_000),
                default: .value(ActionSettings().failedFor),
                "How long `failed` is shown if the control is not touched."),
            KeySpec(
                .onFailure, "retry", .section(.retry), isRequired: true,
                "Further attempts after a failure."),
            KeySpec(.retry, "count", .integer(1...100), isRequired: true, "Number of attempts."),
            KeySpec(
                .retry, "backoff", milliseconds(0, 3_600_000), default: .value(Defaults.backoff),
                "Time before the first retry; it doubles each time."),
            KeySpec(
                .retry, "then", .words(["revert", "keep"]), default: .word("revert"),
                "What happens after all retries have failed."),
            KeySpec(
                .query, "timeout", milliseconds(1, 86_400_000), isRequired: true,
                "Longest time of one query; without an answer the value stays unconfirmed."),
        ]

    private static let stepKeys: [KeySpec] = [
        KeySpec(
            .change, "by", .decimal, isRequired: true,
            "What is added; negative numbers subtract. The number stops at the ends of its range, "
                + "unless it wraps."),
        KeySpec(
            .step, "timeout", milliseconds(1, 86_400_000),
            default: .described("the timeout of the whole action"),
            "Longest time of this step; only for a step that is performed outside of Detent."),
    ]
}

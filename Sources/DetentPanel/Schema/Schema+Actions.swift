import DetentTypes

extension Schema {
    static let actionKeys: [KeySpec] =
        [
            KeySpec(
                .action, "run", .arguments,
                "A program and its arguments; never a shell. `{value}`, `{previous}`, `{control}` "
                    + "and `{origin}` are replaced."),
            KeySpec(
                .action, "timeout", milliseconds(1, 86_400_000),
                "Longest time of one attempt; required with `run`, which can hang."),
            KeySpec(
                .action, "on-failure", .anyOf([.words(["revert", "keep"]), .section(.onFailure)]),
                standard: "revert",
                "What follows a failure: the value returns, or it stays, or it is tried again."),
            KeySpec(
                .action, "supersede", .words(["wait", "cancel", "ignore"]), standard: "wait",
                "What a new intent does while an attempt runs: waits, stops it, or is refused."),
            KeySpec(
                .action, "loading-after", milliseconds(0, 60_000), standard: "150ms",
                "The phase is `loading` if nothing is confirmed this long after the intent."),
            KeySpec(
                .action, "loading-min", milliseconds(0, 60_000), standard: "300ms",
                "The lamp shows loading at least this long."),
            KeySpec(
                .action, "failed-for", milliseconds(0, 3_600_000), standard: "3s",
                "How long `failed` shows if nobody touches the control."),
            KeySpec(
                .onFailure, "retry", .section(.retry), isRequired: true,
                "Further attempts after a failure."),
            KeySpec(.retry, "count", .integer(1...100), isRequired: true, "How many."),
            KeySpec(
                .retry, "backoff", milliseconds(0, 3_600_000), standard: "1s",
                "The time before the first of them; it doubles each time."),
            KeySpec(
                .retry, "then", .words(["revert", "keep"]), standard: "revert",
                "What follows when all of them have failed."),
            KeySpec(
                .query, "run", .arguments, isRequired: true,
                "A program and its arguments; never a shell. `{control}` is replaced."),
            KeySpec(
                .query, "timeout", milliseconds(1, 86_400_000), isRequired: true,
                "Longest time of one question; without an answer the value stays unconfirmed."),
        ] + KeySpec.later(.action, "http", "mqtt", "output", "set", "sequence", "wait")
}

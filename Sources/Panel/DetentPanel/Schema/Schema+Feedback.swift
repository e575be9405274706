import DetentTypes

extension Schema {
    /// Keys of what a device reports without being asked.
    static let feedbackKeys: [KeySpec] =
        [
            KeySpec(
                .feedback, "watch", .arguments,
                "A program that runs as long as the panel and prints a line for each report. If it "
                    + "ends, Detent starts it again; no shell is used."),
            KeySpec(
                .feedback, "line", .line,
                "An input that the device drives, such as the auxiliary contact of a relay: on "
                    + "while it is active. Only for controls that are on or off."),
            KeySpec(
                .feedback, "http", .section(.feedbackRequest),
                "A web service that is asked again and again."),
            KeySpec(
                .feedback, "pointer", .text, default: "the whole report is the value",
                "The place of the value in the JSON of a report, such as `/state/power`. In a line "
                    + "of words from `tcp`, `udp` or `serial`, `/0` is the first word."),
            KeySpec(
                .feedback, "map", .valuesByWord(1...Limits.feedbackWords),
                default: "the words of the control",
                "What words of the device mean, such as `{\"ON\": on, \"OFF\": off}`. The words of "
                    + "the control are understood too."),
            KeySpec(
                .feedback, "lag", milliseconds(0, 600_000), default: .value(TimeSpan.zero),
                "How long after an action the device may still report the old value. A report of "
                    + "another value than the new one counts when this time is over, if nothing "
                    + "newer came."),
            KeySpec(
                .feedback, "debounce",
                .anyOf([milliseconds(0, 10_000), .words(["none"]), .section(.debounce)]),
                default: .described("that of a lever"), "How the `line` is debounced."),
        ]
        + [
            KeySpec(
                .feedback, "mqtt", .address(.topic),
                "A topic of the broker of `mqtt:`, such as `stat/desk-lamp/POWER`: each message is "
                    + "a report. A message that the broker has kept is one too."),
            KeySpec(
                .feedback, "panel", .text,
                "The name of another panel at the same broker. Its `control` reports what its "
                    + "device has confirmed."),
            KeySpec(
                .feedback, "control", .text, default: "none",
                "The id of the control of that `panel`; needed with it."),
            KeySpec(
                .feedback, "osc", .section(.feedbackMessage),
                "Messages of Open Sound Control that the device sends to this machine."),
            KeySpec(
                .feedbackMessage, "listen", .address(.place), isRequired: true,
                "Where the messages arrive: an address of this machine and a UDP port. "
                    + "`127.0.0.1` hears this machine only, and `0.0.0.0` all networks. Controls "
                    + "may share it."),
            KeySpec(
                .feedbackMessage, "address", .address(.message), isRequired: true,
                "The address of the messages, such as `/ch/01/mix/on`."),
            KeySpec(
                .feedbackMessage, "argument", .integer(1...Limits.messageArguments),
                default: .value(Defaults.messageArgument),
                "Which argument is the report, counted from 1."),
            KeySpec(
                .feedback, "tcp", .section(.feedbackTCP),
                "Lines of a device over a connection, such as those of an instrument."),
            KeySpec(
                .feedback, "udp", .section(.feedbackUDP),
                "Lines of a device in datagrams, such as those of a simulator."),
            KeySpec(
                .feedback, "serial", .section(.feedbackSerial),
                "Lines of a device over a serial wire."),
            KeySpec(
                .feedbackRequest, "get", .address(.web), isRequired: true,
                "The address of the request."),
            KeySpec(
                .feedbackRequest, "every", milliseconds(100, 86_400_000),
                default: .value(Defaults.feedbackPeriod), "The time between two requests."),
            KeySpec(
                .feedbackRequest, "headers", .texts(1...Limits.headers),
                "Headers of the request, such as `{Authorization: \"Bearer ${file:/etc/key}\"}`."),
        ] + feedbackWires.flatMap { WireKeys.feedback($0.section, $0.key) }

    /// The sources at devices nearby.
    static let feedbackWires: [(key: String, section: Section)] = [
        ("tcp", .feedbackTCP), ("udp", .feedbackUDP), ("serial", .feedbackSerial),
    ]

    /// The keys of a feedback that name its source; a file has exactly one of them.
    static let feedbackSources =
        ["watch", "line", "http", "mqtt", "panel", "osc"] + feedbackWires.map(\.key)
}

/// Messages of Open Sound Control.
extension ActionKind {
    private static let section = Section.actionKind(
        title: "OSC action",
        summary: "A message of Open Sound Control in a datagram, which has no answer; done when it "
            + "is sent.")

    static let osc = ActionKind(
        "osc", .runner, .section(section),
        "A message of Open Sound Control, for mixers, lights and video. `{value}`, `{previous}`, "
            + "`{control}` and `{origin}` are replaced.",
        sections: [section],
        keys: [
            KeySpec(
                section, "to", .address(.datagram), isRequired: true,
                "The host and the port of the receiver, such as `192.168.1.30:10023`."),
            KeySpec(
                section, "address", .address(.message), isRequired: true,
                "The address of the message, such as `/ch/01/mix/on`."),
            KeySpec(
                section, "args", .list(.body, 1...Limits.messageArguments),
                "The arguments. Whole numbers, numbers with a point, `true` and `false`, and texts "
                    + "are sent as what they are."),
            KeySpec(
                section, "types", .text,
                "A letter for each argument: `i` for a whole number, `f` for a number, `s` for a "
                    + "text, `T` for true or false, also from `on` and `off`."),
        ],
        canAnswer: false
    ) { node, log in
        guard let types = node["types"], let letters = types.text else { return }
        let count = node["args"]?.items?.count ?? 0
        guard letters.count != count || !letters.allSatisfy({ "ifsT".contains($0) }) else { return }
        log.error(
            .invalidArgument, at: types.place,
            "`types: \(quoted(letters))` does not fit \(counted(count, "argument"))",
            help: "write one of `i`, `f`, `s` and `T` for each argument, such as `types: if`")
    }
}

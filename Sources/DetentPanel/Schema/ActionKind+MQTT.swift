/// Messages through the broker of the panel.
extension ActionKind {
    private static let section = Section.actionKind(
        title: "MQTT action",
        summary: "A message through the broker of `mqtt:`; done when the broker has taken it.")

    static let mqtt = ActionKind(
        "mqtt", .runner, .section(section),
        "A message through the broker of the panel. `{value}`, `{previous}`, `{control}` and "
            + "`{origin}` are replaced.",
        sections: [section],
        keys: [
            KeySpec(
                section, "topic", .address(.topic), isRequired: true,
                "The topic of the message, such as `cmnd/desk-lamp/POWER`."),
            KeySpec(
                section, "payload", .body, isRequired: true,
                "The content of the message, such as `\"{value}\"`; it may be empty. `${env:NAME}` "
                    + "and `${file:PATH}` are replaced by a secret."),
            KeySpec(
                section, "qos", .integer(0...1), standard: "1, acknowledged",
                "1: the action is done when the broker acknowledges the message. 0: it is done "
                    + "when the message is sent, and the message can be lost."),
            KeySpec(
                section, "retain", .boolean, standard: "not kept",
                "Whether the broker keeps the message for those that subscribe later."),
        ],
        canAnswer: false, needsBroker: true)
}

/// Messages through the broker of the panel.
extension ActionKind {
    private static let section = Section.actionKind(
        title: "MQTT action",
        summary: "A message through the broker of `mqtt:`; done when the broker has taken it or, "
            + "with `confirm`, when the device has said the value.")
    private static let confirm = Section.actionKind(
        title: "MQTT confirmation",
        summary: "Where the device of an MQTT action says its value.")

    static let mqtt = ActionKind(
        "mqtt", .runner, .section(section),
        "A message through the broker of the panel. `{value}`, `{previous}`, `{control}` and "
            + "`{origin}` are replaced.",
        sections: [section, confirm],
        keys: [
            KeySpec(
                section, "topic", .address(.topic), isRequired: true,
                "The topic of the message, such as `cmnd/desk-lamp/POWER`."),
            KeySpec(
                section, "payload", .body, isRequired: true,
                "The content of the message, such as `\"{value}\"`; it may be empty. `${env:NAME}` "
                    + "and `${file:PATH}` are replaced by a secret."),
            KeySpec(
                section, "qos", .integer(0...1), default: "1, acknowledged",
                "1: the action is done when the broker acknowledges the message. 0: it is done "
                    + "when the message is sent, and the message can be lost."),
            KeySpec(
                section, "retain", .boolean, default: "not kept",
                "Whether the broker keeps the message for those that subscribe later."),
            KeySpec(
                section, "expire", Schema.milliseconds(1_000, 86_400_000),
                default: "the `timeout` of the action; never with `retain: true`",
                "How long the broker tries to deliver the message to a device that is away, in "
                    + "whole seconds. Only brokers of MQTT 5 know this."),
            KeySpec(
                section, "confirm", .section(confirm),
                "The action is done only when the device says the value that was asked for."),
            KeySpec(
                confirm, "topic", .address(.topic), isRequired: true,
                "The topic where the device says its value, such as `stat/desk-lamp/POWER`."),
            KeySpec(
                confirm, "pointer", .text, default: "the whole message is the value",
                "The place of the value in the JSON of a message, such as `/state/power`."),
            KeySpec(
                confirm, "map", .valuesByWord(1...Limits.feedbackWords),
                default: "the words of the control",
                "What words of the device mean, such as `{\"ON\": on, \"OFF\": off}`."),
        ],
        canAnswer: false, carrier: .broker,
        // What comes later than the action waits for would surprise.
        timeoutField: ActionCall.TimeoutField(name: "expire", unless: "retain"))
}

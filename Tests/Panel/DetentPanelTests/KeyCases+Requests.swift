import DetentCore
import DetentPanel
import DetentTypes

/// Requests to web services.
extension KeyCase {
    static let requests: [KeyCase] =
        ["get", "put", "post", "patch", "delete"].map { method in
            KeyCase(
                "HTTP action.\(method)", Base.lever,
                "action: {http: {\(method): \"http://host/{value}\"}, timeout: 2s}",
                bad: "action: {http: {\(method): host}, timeout: 2s}", "invalid-argument"
            ) { $0.call == [ActionField(method, .text("http://host/{value}"))] }
        } + [
            KeyCase(
                "action.http", Base.lever, "action: {http: {put: \"https://host\"}, timeout: 2s}",
                bad: "action: {http: {put: \"https://host\"}}", "action-without-timeout"
            ) { $0.call != nil },
            KeyCase(
                "step.http", Base.lever,
                "action: {sequence: [{http: {put: \"http://host\"}}], timeout: 2s}",
                bad: "action: {sequence: [{http: {}}], timeout: 2s}", "missing-key"
            ) { $0.call != nil },
            KeyCase(
                "query.http", Base.acting,
                "query: {http: {get: \"http://host\", confirm: {pointer: /a}}, timeout: 2s}",
                bad: "query: {http: {get: \"http://host\"}, run: [a], timeout: 2s}",
                "conflicting-keys"
            ) {
                $0.call == [
                    ActionField("get", .text("http://host")),
                    ActionField("confirm.pointer", .text("/a")),
                ]
            },
            KeyCase(
                "HTTP action.headers", Base.lever,
                "action: {http: {put: \"http://h\", headers: {X-Key: \"${env:K}\"}}, timeout: 2s}",
                bad: "action: {http: {put: \"http://h\", headers: {\"X: Y\": a}}, timeout: 2s}",
                "invalid-argument"
            ) { $0.call?["headers"] == .pairs([TextPair("X-Key", "${env:K}")]) },
            KeyCase(
                "HTTP action.body", Base.lever,
                "action: {http: {put: \"http://h\", body: \"a\\nb\"}, timeout: 2s}",
                bad: "action: {http: {put: \"http://h\", body: \"${file:key}\"}, timeout: 2s}",
                "invalid-argument"
            ) { $0.call?["body"] == .text("a\nb") },
            KeyCase(
                "HTTP action.confirm", Base.lever,
                "action: {http: {put: \"http://h\", confirm: {pointer: /a/b}}, timeout: 2s}",
                bad: "action: {http: {put: \"http://h\", confirm: /a}, timeout: 2s}", "wrong-type"
            ) { $0.call?["confirm.pointer"] == .text("/a/b") },
            KeyCase(
                "HTTP confirmation.pointer", Base.lever,
                "action: {http: {put: \"http://h\", confirm: {pointer: /a}}, timeout: 2s}",
                bad: "action: {http: {put: \"http://h\", confirm: {}}, timeout: 2s}", "missing-key"
            ) { $0.call?["confirm.pointer"] == .text("/a") },
        ] + messages + brokerMessages + keys

    private static func osc(
        _ name: String, _ good: String, bad: String, _ rule: String,
        effect: @escaping @Sendable (PanelPlan) -> Bool
    ) -> KeyCase {
        KeyCase(
            name, Base.lever, "action: {osc: {\(good)}, timeout: 2s}",
            bad: "action: {osc: {\(bad)}, timeout: 2s}", rule, effect: effect)
    }

    private static let messages: [KeyCase] = [
        osc(
            "action.osc", "to: \"h:1\", address: /a", bad: "to: \"h:1\", adress: /a",
            "unknown-key"
        ) { $0.call != nil },
        KeyCase(
            "step.osc", Base.lever,
            "action: {sequence: [{osc: {to: \"h:1\", address: /a}}], timeout: 2s}",
            bad: "action: {sequence: [{osc: {}}], timeout: 2s}", "missing-key"
        ) { $0.call != nil },
        osc(
            "OSC action.to", "to: \"[::1]:9000\", address: /a", bad: "to: host, address: /a",
            "invalid-argument"
        ) { $0.call?.text("to") == "[::1]:9000" },
        osc(
            "OSC action.address", "to: \"h:1\", address: \"/ch/{value}/on\"",
            bad: "to: \"h:1\", address: ch", "invalid-argument"
        ) { $0.call?.text("address") == "/ch/{value}/on" },
        osc(
            "OSC action.args", "to: \"h:1\", address: /a, args: [1, \"{value}\", \"\"]",
            bad: "to: \"h:1\", address: /a, args: 1", "wrong-type"
        ) { $0.call?["args"] == .texts(["1", "{value}", ""]) },
        osc(
            "OSC action.types", "to: \"h:1\", address: /a, args: [1, 2], types: if",
            bad: "to: \"h:1\", address: /a, args: [1, 2], types: x", "invalid-argument"
        ) { $0.call?.text("types") == "if" },
    ]

    private static let keys: [KeyCase] = [
        KeyCase(
            "action.key", Base.button, "action: {key: KEY_F5}", bad: "action: {key: KEY_F55}",
            "invalid-argument"
        ) {
            $0.call == [ActionField("key", .text("KEY_F5"))] && $0.first.nature == .heldButton
                && $0.actions[0].settings.timeout == .seconds(1)
        },
        KeyCase(
            "step.key", Base.lever,
            "action: {sequence: [{key: [KEY_LEFTCTRL, KEY_C]}, {key: BTN_THUMB}]}",
            bad: "action: {sequence: [{key: [KEY_LEFTCTRL, BTN_THUMB]}]}", "conflicting-keys"
        ) { $0.call == [ActionField("key", .texts(["KEY_LEFTCTRL", "KEY_C"]))] },
    ]

    private static func mqtt(
        _ name: String, _ good: String, bad: String, _ rule: String,
        effect: @escaping @Sendable ([ActionField]) -> Bool
    ) -> KeyCase {
        KeyCase(
            name, Base.lever, "action: {mqtt: {\(good)}, timeout: 2s}",
            bad: "action: {mqtt: {\(bad)}, timeout: 2s}", rule
        ) { $0.call.map(effect) ?? false }
    }

    private static let brokerMessages: [KeyCase] = [
        mqtt(
            "action.mqtt", "topic: a/b, payload: x", bad: "topic: a/b, payload: x, to: b",
            "unknown-key"
        ) { _ in true },
        KeyCase(
            "step.mqtt", Base.lever,
            "action: {sequence: [{mqtt: {topic: a, payload: x}}], timeout: 2s}",
            bad: "action: {sequence: [{mqtt: {}}], timeout: 2s}", "missing-key"
        ) { $0.call != nil },
        mqtt(
            "MQTT action.topic", "topic: \"cmnd/{control}/POWER\", payload: x",
            bad: "topic: \"cmnd/#\", payload: x",
            "invalid-argument"
        ) { $0.text("topic") == "cmnd/{control}/POWER" },
        mqtt(
            "MQTT action.payload", "topic: a, payload: \"{value} ${env:KEY}\"",
            bad: "topic: a, payload: \"${KEY}\"", "invalid-argument"
        ) { $0.text("payload") == "{value} ${env:KEY}" },
        mqtt(
            "MQTT action.qos", "topic: a, payload: x, qos: 0",
            bad: "topic: a, payload: x, qos: 2", "out-of-range"
        ) { $0["qos"] == .integer(0) },
        mqtt(
            "MQTT action.retain", "topic: a, payload: x, retain: true",
            bad: "topic: a, payload: x, retain: maybe", "wrong-type"
        ) { $0["retain"] == .boolean(true) },
        mqtt(
            "MQTT action.expire", "topic: a, payload: x, expire: 1min",
            bad: "topic: a, payload: x, expire: 500ms", "out-of-range"
        ) { $0["expire"] == .duration(.seconds(60)) },
        mqtt(
            "MQTT action.confirm", "topic: a, payload: x, confirm: {topic: b}",
            bad: "topic: a, payload: x, confirm: b", "wrong-type"
        ) { $0["confirm.topic"] != nil },
        mqtt(
            "MQTT confirmation.topic", "topic: a, payload: x, confirm: {topic: stat/b}",
            bad: "topic: a, payload: x, confirm: {topic: \"stat/{value}\"}", "invalid-argument"
        ) { $0.text("confirm.topic") == "stat/b" },
        mqtt(
            "MQTT confirmation.pointer", "topic: a, payload: x, confirm: {topic: b, pointer: /p}",
            bad: "topic: a, payload: x, confirm: {topic: b, pointer: p}", "invalid-argument"
        ) { $0.text("confirm.pointer") == "/p" },
        mqtt(
            "MQTT confirmation.map",
            "topic: a, payload: x, confirm: {topic: b, map: {\"ON\": on}}",
            bad: "topic: a, payload: x, confirm: {topic: b, map: {\"ON\": onn}}", "unknown-word"
        ) { $0["confirm.map"] == .pairs([TextPair("ON", "on")]) },
    ]
}

extension PanelPlan {
    /// The keys of the first action that a runner performs.
    fileprivate var call: [ActionField]? {
        for action in actions {
            switch action.command {
            case .call(let call): return call.fields
            case .run, .steps: continue
            }
        }
        return nil
    }
}

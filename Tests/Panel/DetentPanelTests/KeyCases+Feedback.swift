import DetentCore
import DetentPanel
import DetentTypes

/// What devices report without being asked.
extension KeyCase {
    private static func feedback(
        _ key: String, _ good: String, bad: String, _ rule: String,
        effect: @escaping @Sendable (FeedbackPlan) -> Bool
    ) -> KeyCase {
        KeyCase(
            key, Base.acting, "feedback: {\(good)}", bad: "feedback: {\(bad)}", rule
        ) { $0.controls[0].feedback.map(effect) ?? false }
    }

    static let feedbacks: [KeyCase] = [
        feedback("control.feedback", "watch: [tail]", bad: "", "missing-key") { _ in true },
        feedback("feedback.watch", "watch: [tail, x]", bad: "watch: tail", "wrong-type") {
            $0.source == .program(arguments: ["tail", "x"])
        },
        KeyCase(
            "feedback.line", Base.acting, "feedback: {line: B}", bad: "feedback: {line: A}",
            "pin-used-twice"
        ) {
            $0.controls[0].feedback?.source == .line(LineID(1))
                && $0.first.feedbackLine == LineID(1)
        },
        feedback(
            "feedback.http", "http: {get: \"http://h/\"}", bad: "http: {put: \"http://h/\"}",
            "unknown-key"
        ) {
            $0.source
                == .request(fields: [ActionField("get", .text("http://h/"))], every: .seconds(5))
        },
        feedback(
            "feedback.pointer", "watch: [tail], pointer: /a/b", bad: "watch: [tail], pointer: a",
            "invalid-argument"
        ) { $0.pointer == "/a/b" },
        feedback(
            "feedback.map", "watch: [tail], map: {\"AN\": on, \"1\": off}",
            bad: "watch: [tail], map: {\"AN\": up}", "unknown-word"
        ) { $0.words == [.init("AN", .on), .init("1", .off)] },
        KeyCase(
            "feedback.lag", Base.acting, "feedback: {watch: [tail], lag: 2s}",
            bad: "feedback: {watch: [tail], lag: 11min}", "out-of-range"
        ) {
            $0.controls[0].feedback?.lag == .seconds(2)
                && $0.relation(of: $0.controls[0])?.lag == .seconds(2)
        },
        KeyCase(
            "feedback.debounce", Base.acting, "feedback: {line: B, debounce: 90ms}",
            bad: "feedback: {watch: [tail], debounce: 90ms}", "conflicting-keys"
        ) { plan in
            guard case .contact(let contact)? = plan.lines.last?.use else { return false }
            return contact.debounce.algorithm == .defer(time: .milliseconds(90))
        },
        feedback(
            "feedback.mqtt", "mqtt: stat/lamp/POWER", bad: "mqtt: stat/+", "invalid-argument"
        ) { $0.source == .topic("stat/lamp/POWER") },
        feedback(
            "feedback.panel", "panel: Boiler Room, control: pump",
            bad: "panel: p, control: pump", "invalid-argument"
        ) {
            $0.source.topic == "detent/boiler-room/pump/state"
                && $0.source.availability == "detent/boiler-room/availability"
                && $0.pointer == "/actual"
        },
        feedback(
            "feedback.control", "panel: Boiler, control: pump", bad: "watch: [tail], control: pump",
            "conflicting-keys"
        ) { $0.source == .control("pump", panel: "Boiler") },
        feedback(
            "feedback.osc", "osc: {listen: \"127.0.0.1:9000\", address: /mute}",
            bad: "osc: {listen: \"127.0.0.1:9000\", address: /mute}, pointer: /a",
            "conflicting-keys"
        ) { $0.message == ("/mute", 1, "127.0.0.1:9000") },
        feedback(
            "feedbackMessage.listen", "osc: {listen: \"[::1]:9\", address: /mute}",
            bad: "osc: {listen: \"desk:9000\", address: /mute}", "invalid-argument"
        ) { $0.message == ("/mute", 1, "[::1]:9") },
        feedback(
            "feedbackMessage.address", "osc: {listen: \"0.0.0.0:9\", address: /ch/01/on}",
            bad: "osc: {listen: \"0.0.0.0:9\", address: \"/ch/*/on\"}", "invalid-argument"
        ) { $0.message == ("/ch/01/on", 1, "0.0.0.0:9") },
        feedback(
            "feedbackMessage.argument",
            "osc: {listen: \"0.0.0.0:9\", address: /mute, argument: 3}",
            bad: "osc: {listen: \"0.0.0.0:9\", address: /mute, argument: 0}", "out-of-range"
        ) { $0.message == ("/mute", 3, "0.0.0.0:9") },
        feedback(
            "feedbackRequest.get", "http: {get: \"https://h/x\"}", bad: "http: {get: h}",
            "invalid-argument"
        ) { $0.fields?.text("get") == "https://h/x" },
        feedback(
            "feedbackRequest.every", "http: {get: \"http://h\", every: 250ms}",
            bad: "http: {get: \"http://h\", every: 1ms}", "out-of-range"
        ) {
            guard case .request(_, let every) = $0.source else { return false }
            return every == .milliseconds(250)
        },
        feedback(
            "feedbackRequest.headers", "http: {get: \"http://h\", headers: {X-Key: \"${env:K}\"}}",
            bad: "http: {get: \"http://h\", headers: {\"X: Y\": a}}", "invalid-argument"
        ) { $0.fields?["headers"] == .pairs([TextPair("X-Key", "${env:K}")]) },
    ]
}

extension FeedbackPlan {
    fileprivate var fields: [ActionField]? {
        switch source {
        case .request(let fields, _): fields
        case .program, .line, .topic, .control, .message, .wire: nil
        }
    }

    fileprivate var message: (address: String, argument: Int, listen: String) {
        guard case .message(let address, let argument, let place) = source else {
            return ("", 0, "")
        }
        return (address, argument, place.text)
    }
}

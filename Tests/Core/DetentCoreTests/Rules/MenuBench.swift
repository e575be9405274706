import DetentTypes

@testable import DetentCore

/// Benches of controls that are found by turning or by few buttons.
extension Bench {
    /// The second control, whose value the first one may follow.
    private static func main(_ rules: RelationID) -> ControlSettings {
        ControlSettings(
            nature: .onOff(latch: .toggle), startup: StartupSettings(rule: .value(.on)),
            relation: rules)
    }

    /// A control on an encoder (lines 0 and 1, its push on line 2), a row of four buttons (up,
    /// down, select, back) or one button. Each value has action 0; from line 4 on there are lamps
    /// for eight options.
    static func navigated(
        _ kind: ControlNature, _ style: NavigationSettings.Style,
        _ hardware: NavigationSettings.Hardware, count: UInt8, items: [MenuItem] = [],
        confirm: ConfirmSettings = .none, hold: TimeSpan = .zero, hasLamps: Bool = false,
        supersede: ActionSettings.Supersede = .wait
    ) -> Bench {
        var relations = Relations()
        relations.items = items
        let condition = relations.condition(.compare(ControlID(1), .equal, .on))
        let own = relations.rules {
            $0.condition = condition
            $0.confirm = confirm
            $0.navigation = NavigationSettings(
                style: style, hardware: hardware, count: count,
                items: PlanRange(first: 0, count: UInt16(items.count)))
        }
        let listeners = relations.link(0)
        let main = relations.rules { $0.listeners = listeners }
        let push = ButtonSettings(hold: hold)
        let (decoder, contacts): (DecoderSettings, UInt16) =
            switch hardware {
            case .encoder: (.encoder(EncoderSettings(transitions: 2, push: push)), 3)
            case .buttons: (.buttonRow, 4)
            case .oneButton:
                (.button(ButtonSettings(hold: hold == .zero ? .milliseconds(500) : hold)), 1)
            }
        let bench = Bench(
            lines: Array(repeating: DebounceSettings.none, count: 4)
                + Array(repeating: nil, count: 8),
            actions: [ActionSettings(timeout: .seconds(60), supersede: supersede)],
            controls: [
                ControlSettings(
                    nature: kind, contacts: PlanRange(first: 0, count: contacts), decoder: decoder,
                    startup: StartupSettings(rule: .value(kind.rest)), actions: .any(ActionID(0)),
                    indicator: hasLamps
                        ? IndicatorSettings(
                            style: .perOption, lines: PlanRange(first: 4, count: 8))
                        : IndicatorSettings(),
                    relation: own),
                Self.main(main),
            ], relations: relations)
        bench.answersReadings = true
        _ = bench.send(.start, 0)
        return bench
    }

    /// One detent of an encoder on lines 0 and 1 with two transitions a detent.
    func turn(_ clockwise: Bool, _ millisecond: Int) -> [String] {
        let level = (levels[0] ?? .inactive).opposite
        // The first quarter comes a moment earlier: two at one stamp would be a jump.
        let end = Instant(millisecond: millisecond)
        let begin = Instant(nanoseconds: end.nanoseconds - 1_000)
        return run(to: begin)
            + send(.edge(LineID(clockwise ? 0 : 1), level, sequence: 0), at: begin)
            + run(to: end) + send(.edge(LineID(clockwise ? 1 : 0), level, sequence: 0), at: end)
            + run(to: end + .nanoseconds(1))
    }
}

/// Effects of control 0 without those of its hardware.
func ofMenu(_ log: [String]) -> [String] {
    let gestures = ["pressed", "released", "clicked", "stepped", "held", "read"]
    return log.filter { line in
        let words = line.split(separator: " ")
        return !words.dropFirst().contains { gestures.contains(String($0)) }
            && !words.contains("c1")
    }
}

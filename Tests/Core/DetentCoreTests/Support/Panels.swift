import DetentTypes

@testable import DetentCore

extension Bench {
    /// A button that latches an on/off value, with a lamp (line 1) and one action.
    static func latched(
        _ rules: ActionSettings = ActionSettings(timeout: .seconds(5)),
        latch: Latch = .toggle
    ) -> Bench {
        Bench(
            lines: [DebounceSettings.none, nil], actions: [rules],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: latch), contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()), actions: .any(ActionID(0)),
                    indicator: IndicatorSettings(lines: PlanRange(first: 1, count: 1)))
            ])
    }

    /// A switch with an action and no hardware at all; its reports are about its state alone.
    static func remote(_ rules: ActionSettings) -> Bench {
        let bench = Bench(
            actions: [rules],
            controls: [ControlSettings(nature: .onOff(latch: .toggle), actions: .any(ActionID(0)))])
        _ = bench.send(.start, 0)
        return bench
    }

    /// A lever without an action that follows a rule.
    static func lever(
        _ mismatch: MismatchPolicy, startup: StartupSettings = StartupSettings(rule: .panel),
        actions: [ActionSettings] = [], map: ActionMap = .none
    ) -> Bench {
        Bench(
            lines: [DebounceSettings.none], actions: actions,
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), contacts: PlanRange(first: 0, count: 1),
                    decoder: .lever, mismatch: mismatch, startup: startup, actions: map)
            ])
    }
}

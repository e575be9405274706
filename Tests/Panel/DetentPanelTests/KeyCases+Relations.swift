import DetentCore
import DetentPanel
import DetentTypes

extension KeyCase {
    /// Keys by which controls have to do with each other and with time.
    static let rules: [KeyCase] = [
        KeyCase(
            "control.enabled-when", Base.pump, "enabled-when: c is on",
            bad: "enabled-when: c is 3", "invalid-condition"
        ) {
            $0.relations.conditionSteps == [.compare(ControlID(0), .equal, .on)]
                && $0.relations.links == [ControlID(1)] && $0.controls[1].settings.startRank == 1
        },
        KeyCase(
            "control.on-enable", Base.pump + ", enabled-when: c", "on-enable: follow",
            bad: "on-enable: jump", "unknown-word"
        ) { $0.relations.settings.contains { $0.onEnable == .follow } },
        KeyCase(
            "control.auto-off", Base.lever, "auto-off: 30min", bad: "auto-off: 30",
            "invalid-duration"
        ) {
            $0.relations.settings.map(\.returning) == [
                ReturnSettings(to: .off, after: .seconds(1_800), from: .leaving)
            ]
        },
        KeyCase(
            "control.expires", Base.radio + ", default: y", "expires: 2h", bad: "expires: soon",
            "invalid-duration"
        ) {
            $0.relations.settings.map(\.returning) == [
                ReturnSettings(to: Value(1), after: .seconds(7_200), from: .lastIntent)
            ]
        },
        KeyCase(
            "control.stale-after", Base.lever, "stale-after: 10s", bad: "stale-after: 0s",
            "out-of-range"
        ) { $0.relations.settings.map(\.staleAfter) == [.seconds(10)] },
        KeyCase("control.audit", Base.lever, "audit: 10s", bad: "audit: 10", "invalid-duration") {
            $0.relations.settings.map(\.auditEvery) == [.seconds(10)]
        },
        KeyCase(
            "control.members", Base.group,
            "members: [c]", bad: "members: [d]", "unknown-control"
        ) { $0.relations.settings.contains { $0.members.count == 1 } },
        KeyCase(
            "control.apply", Base.form + ", members: [c]", "apply: save", bad: "apply: c",
            "wrong-member"
        ) { $0.relations.settings.contains { $0.form == .apply(ControlID(3)) } },
        KeyCase(
            "control.cancel", Base.form + ", members: [c], apply: save", "cancel: drop",
            bad: "cancel: dorp", "unknown-control"
        ) { $0.relations.settings.contains { $0.form == .cancel(ControlID(3)) } },
        KeyCase(
            "control.show",
            "kind: switch, label: Main, input: A}, lamp: {kind: indicator, "
                + "label: Lamp, indicator: B", "show: c", bad: "show: c is", "invalid-condition"
        ) { $0.relations.settings.contains { $0.shows == ControlID(0) } },
    ]
}

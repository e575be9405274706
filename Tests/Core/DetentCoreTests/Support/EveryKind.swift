import DetentTypes

@testable import DetentCore

/// A panel with a control of every kind on every decoder, drawn from a seed, with odd times among
/// sensible ones.
enum EveryKind {
    static let controlCount = 24

    /// Each control has three actions, and the last of them may be its query.
    static func isQuery(_ action: ActionID) -> Bool { action.index % 3 == 2 }

    static func bench(_ random: inout SplitMix) -> Bench {
        var lines: [DebounceSettings?] = []
        var actions: [ActionSettings] = []
        var controls: [ControlSettings] = []
        for place in 0..<controlCount {
            controls.append(control(place, &lines, &actions, &random))
        }
        var relations = Relations()
        relations.links = Array(0..<UInt16(controlCount))
        // Some actions need what others have.
        for place in actions.indices where random.chance(20) {
            actions[place].values = PlanRange(
                first: UInt16(random.below(controlCount - 8)), count: UInt16(random.below(9)))
            actions[place].shownValues = UInt8(random.below(256))
        }
        return Bench(
            lines: lines, actions: actions, controls: controls, relations: relations,
            panel: panel(controls))
    }

    static func span(_ random: inout SplitMix) -> TimeSpan {
        switch random.below(8) {
        case 0: .zero
        case 1: .nanoseconds(1)
        case 2: TimeSpan(nanoseconds: .max)
        case 3: .seconds(5)
        case _: .milliseconds(UInt64(random.below(400)))
        }
    }

    private static func debounce(_ random: inout SplitMix) -> DebounceSettings {
        let algorithm: DebounceSettings.Algorithm
        switch random.below(6) {
        case 0: algorithm = .none
        case 1: algorithm = .eager(time: span(&random), window: .restart)
        case 2: algorithm = .eager(time: span(&random), window: .fixed)
        case 3: algorithm = .defer(time: span(&random))
        case 4: algorithm = .asymmetric(press: span(&random), release: span(&random))
        case _:
            algorithm = .integrator(
                sample: span(&random) + .nanoseconds(1), samples: UInt16(1 + random.below(300)))
        }
        return DebounceSettings(
            algorithm: algorithm, glitch: random.chance(50) ? .zero : span(&random),
            lockout: random.chance(50) ? .zero : span(&random))
    }

    private static func button(_ random: inout SplitMix) -> ButtonSettings {
        ButtonSettings(
            clickWithin: span(&random), isClickPostponed: random.chance(50),
            multiClickGap: span(&random), multiClickCount: UInt8(random.below(5)),
            hold: span(&random), repeatAfter: span(&random), repeatEvery: span(&random))
    }

    private static func decoder(_ place: Int, _ random: inout SplitMix) -> (DecoderSettings, UInt16)
    {
        switch place % 7 {
        case 0: return (.button(button(&random)), 1)
        case 1: return (.lever, 1)
        case 2: return (.lever, 2)
        case 3:
            let codings: [SelectorSettings.Coding] = [.contacts, .binary, .gray]
            return (
                .selector(
                    SelectorSettings(
                        coding: codings[random.below(3)], settle: span(&random),
                        positions: UInt8(random.below(25)),
                        nonePosition: random.chance(50) ? 255 : UInt8(random.below(5)))),
                UInt16(1 + random.below(6))
            )
        case 4:
            let transitions: [UInt8] = [1, 2, 4]
            return (
                .encoder(
                    EncoderSettings(
                        transitions: transitions[random.below(3)], rest: UInt8(random.below(4)),
                        push: random.chance(50) ? button(&random) : nil)), 3
            )
        case 5: return (.buttonRow, UInt16(1 + random.below(6)))
        case _: return (.none, 0)
        }
    }

    private static func kind(_ random: inout SplitMix) -> ControlNature {
        let latches: [Latch] = [.toggle, .momentary, .tapOrHold(within: span(&random))]
        switch random.below(11) {
        case 0: return .onOff(latch: latches[random.below(3)])
        case 1: return .onOff(latch: latches[random.below(3)])
        case 2: return .button
        case 3: return .choice(of: UInt8(random.below(30)))
        case 4: return .threeWay
        case 5: return .selection(of: UInt8(2 + random.below(29)), minimum: 1, maximum: 2)
        case 6: return .commands(UInt8(random.below(33)))
        // Sums without anybody to sum up.
        case 7: return .group
        case 8: return .form
        case 9: return .mirror
        case _:
            let minimum = Int32(truncatingIfNeeded: random.next()) / 2
            return .dial(
                NumberRange(
                    minimum: minimum, maximum: random.chance(50) ? .max : minimum,
                    step: random.chance(50) ? 1 : .max, wraps: random.chance(50),
                    acceleration: UInt8(random.below(256))))
        }
    }

    static func rules(_ random: inout SplitMix) -> ActionSettings {
        let failures: [ActionSettings.OnFailure] = [
            .revert, .keep,
            .retry(
                count: UInt8(random.below(4)), backoff: span(&random),
                thenKeep: random.chance(50)),
        ]
        let supersedes: [ActionSettings.Supersede] = [.wait, .cancel, .ignore]
        return ActionSettings(
            timeout: random.chance(20) ? nil : span(&random),
            onFailure: failures[random.below(3)], supersede: supersedes[random.below(3)],
            loadingAfter: span(&random), loadingMinimum: span(&random),
            failedFor: span(&random))
    }

    private static func control(
        _ place: Int, _ lines: inout [DebounceSettings?], _ actions: inout [ActionSettings],
        _ random: inout SplitMix
    ) -> ControlSettings {
        let (decoder, contacts) = decoder(place, &random)
        let contactRange = PlanRange(first: UInt16(lines.count), count: contacts)
        for _ in 0..<contacts { lines.append(debounce(&random)) }
        let lamps = PlanRange(first: UInt16(lines.count), count: UInt16(random.below(4)))
        for _ in 0..<lamps.count { lines.append(nil) }
        let outputs = PlanRange(first: UInt16(lines.count), count: UInt16(random.below(4)))
        for _ in 0..<outputs.count { lines.append(nil) }
        let first = ActionID(UInt16(actions.count))
        let maps: [ActionMap] = [
            .none, .any(first), .perValue(first: first, present: 0b101),
            .perValue(first: first, present: 0),
        ]
        let map = maps[random.below(4)]
        actions += [self.rules(&random), self.rules(&random), self.rules(&random)]
        let query = random.chance(50) ? ActionID(first.index + 2) : nil
        let rules: [StartupSettings.Rule] = [
            .panel, .value(Value(Int32(random.below(4)))), .saved, .device,
        ]
        let rule = rules[random.below(4)]
        return ControlSettings(
            nature: kind(&random), contacts: contactRange, decoder: decoder,
            mismatch: MismatchPolicy.allCases[random.below(4)],
            startup: StartupSettings(
                rule: rule, fallback: Value(Int32(random.below(4))),
                runsAction: random.chance(50), delay: span(&random)),
            actions: map, query: query, indicator: indicator(lamps, &random),
            outputs: outputs,
            outputsPresent: outputs.count > 1 ? 1 << UInt32(outputs.count) - 1 : 0)
    }

    private static func indicator(
        _ lamps: PlanRange, _ random: inout SplitMix
    ) -> IndicatorSettings {
        var styles: [IndicatorSettings.Style] = [.single, .perOption]
        if lamps.count == 2 { styles.append(.twoColor) }
        if lamps.count == 3 { styles.append(.rgb) }
        var settings = IndicatorSettings(
            style: styles[random.below(styles.count)], lines: lamps,
            brightness: random.chance(50) ? 100 : UInt8(1 + random.below(100)))
        for condition in LampCondition.allCases where random.chance(50) {
            settings.colors[condition] = LampColor.allCases[random.below(8)]
        }
        return settings
    }

    /// A dial that dims and a button that tests, where there are any.
    static func panel(_ controls: [ControlSettings]) -> PanelSettings {
        func first(_ fits: (ControlNature) -> Bool) -> ControlID? {
            controls.firstIndex { fits($0.nature) }.map { ControlID(UInt16($0)) }
        }
        return PanelSettings(
            dimmer: first { $0.range != nil },
            lampTest: first { $0 == .button })
    }
}

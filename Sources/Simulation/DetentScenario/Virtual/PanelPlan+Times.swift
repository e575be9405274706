import DetentCore
public import DetentPanel
public import DetentTypes

extension PanelPlan {
    /// After this time without an edge, a report or a running attempt, only repeats and patterns
    /// follow, and long timers such as `auto-off`. It is the longest time that a contact, gesture,
    /// menu or confirmation of a control can wait.
    public var restTime: TimeSpan {
        var longest = TimeSpan.zero
        for (place, control) in controls.enumerated() {
            let settings = control.settings
            longest = max(
                longest,
                settings.startup.delay + settings.decoder.longestWait
                    + settleTime(of: ControlID(UInt16(clamping: place))))
        }
        for relation in relations.settings { longest = max(longest, gestureWait(relation)) }
        for action in actions { longest = max(longest, ownTime(of: action.settings.steps)) }
        return longest + .milliseconds(100)
    }

    /// No state machine of the panel waits longer than this, except for patterns and repeats.
    ///
    /// It is the sum of all times, so it covers chains of deadlines.
    var longestWait: TimeSpan {
        let timers = relations.settings.reduce(TimeSpan.zero) {
            $0 + ($1.returning?.after ?? .zero) + $1.staleAfter + $1.lag
        }
        return min(quietTime + timers, .seconds(86_400))
    }

    /// As `longestWait`, without timers such as `auto-off` that run while all is at rest.
    package var quietTime: TimeSpan {
        var sum = TimeSpan.seconds(1)
        for line in lines {
            if case .contact(let contact) = line.use {
                sum = sum + contact.debounce.longestWait + contact.debounce.lockout
            }
        }
        for control in controls {
            sum = sum + control.settings.startup.delay + control.settings.decoder.longestWait
        }
        for relation in relations.settings { sum = sum + gestureWait(relation) }
        for step in relations.sequenceSteps {
            switch step {
            case .wait(let time), .pulse(_, let time): sum = sum + time
            case .set, .change, .copy, .choose, .fire, .drive, .run: break
            }
        }
        for action in actions {
            let settings = action.settings
            sum =
                sum + (settings.timeout ?? .zero) + settings.loadingAfter + settings.loadingMinimum
                + settings.failedFor
            sum = sum + ownTime(of: settings.steps)
            if case .retry(let count, let backoff, _) = settings.onFailure {
                sum = sum + backoff * (1 << min(62, UInt64(count)))
            }
        }
        return min(sum, .seconds(86_400))
    }

    /// The longest that a menu or a confirmation waits for the next gesture.
    private func gestureWait(_ relation: RelationSettings) -> TimeSpan {
        let menu: TimeSpan =
            switch relation.navigation?.style {
            case .followTurn(let time), .focus(let time), .menu(let time): time
            case nil: .zero
            }
        let items = relation.navigation?.items ?? .none
        let confirms = relations.items.dropFirst(Int(items.first)).prefix(Int(items.count))
            .map(\.confirm.longestWait)
        return menu + max(relation.confirm.longestWait, confirms.max() ?? .zero)
    }

    /// The time of the waits in steps.
    private func ownTime(of steps: PlanRange) -> TimeSpan {
        let first = Int(steps.first)
        return relations.sequenceSteps[first..<first + Int(steps.count)].reduce(.zero) {
            sum, step in
            switch step {
            case .wait(let span), .pulse(_, let span): sum + span
            case .set, .change, .copy, .choose, .fire, .drive, .run: sum
            }
        }
    }

    /// How long after its last edge a control has processed all changes of its contacts.
    ///
    /// A lockout does not count, because the control never processes what it rejects.
    package func settleTime(of control: ControlID) -> TimeSpan {
        let settings = controls[Int(control.index)].settings
        var longest = TimeSpan.zero
        for place in 0..<settings.contacts.count {
            if case .contact(let contact) = lines[Int(settings.contacts.first + place)].use {
                longest = max(
                    longest, contact.debounce.longestWait + (contact.polledEvery ?? .zero))
            }
        }
        switch settings.decoder {
        case .selector(let selector): return longest + selector.settle
        case .analog(let analog): return longest + analog.settle
        // Longer than the time for which the decoder waits for a step that cancels a reversal.
        case .encoder: return longest + .milliseconds(5)
        case .none, .button, .lever, .buttonRow: return longest
        }
    }
}

extension DebounceSettings {
    /// The longest time from an edge to its report, without a lockout.
    fileprivate var longestWait: TimeSpan {
        let time: TimeSpan =
            switch algorithm {
            case .none: .zero
            case .eager(let time, _), .defer(let time): time
            case .asymmetric(let press, let release): press + release
            case .integrator(let sample, let samples): sample * (UInt64(samples) + 1)
            }
        return time + glitch
    }
}

extension DecoderSettings {
    fileprivate var longestWait: TimeSpan {
        switch self {
        case .none, .lever, .buttonRow: .zero
        case .button(let button): button.longestWait
        case .selector(let selector): selector.settle
        case .analog(let analog): analog.settle
        case .encoder(let encoder): (encoder.push?.longestWait ?? .zero) + .milliseconds(5)
        }
    }
}

extension ConfirmSettings {
    fileprivate var longestWait: TimeSpan {
        switch self {
        case .none, .guarded: .zero
        case .hold(let time), .pressTwice(let time), .chord(let time): time
        case .arm(let time): time + .milliseconds(500)
        }
    }
}

extension ButtonSettings {
    fileprivate var longestWait: TimeSpan { multiClickGap + hold }
}

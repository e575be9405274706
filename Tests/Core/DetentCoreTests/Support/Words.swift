import DetentTypes

@testable import DetentCore

/// Effects as short lines of text, so that a dialogue reads well and a difference is seen.
enum Words {
    static func line(_ effect: Effect, _ at: Instant) -> String {
        "\(time(at)) \(text(effect))"
    }

    static func time(_ at: Instant) -> String {
        let (milliseconds, rest) = at.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest == 0 ? "\(milliseconds)" : "\(milliseconds)+\(rest)ns"
    }

    static func text(_ effect: Effect) -> String {
        switch effect {
        case .readLevel(let line): "read l\(line.index)"
        case .indicate(let line, let level): "lamp l\(line.index) \(word(level))"
        case .adjust(let line, let strength):
            "adjust l\(line.index) \(strength.tenThousandths)"
        case .drive(let line, let level): "drive l\(line.index) \(word(level))"
        case .provide(let control, let value): "provide c\(control.index) \(word(value))"
        case .start(let action, let run, let control, let value, let previous, let origin):
            "start a\(action.index) r\(run.number) c\(control.index) "
                + "\(word(value)) after \(word(previous)) by \(origin.place)"
        case .cancel(let action, let run): "cancel a\(action.index) r\(run.number)"
        case .report(let report) where report.control == Report.panel:
            "panel \(text(report.kind))"
        case .report(let report): "c\(report.control.index) \(text(report.kind))"
        case .answer(let request, let control, let answer):
            "answer q\(request.number) c\(control.index) \(answer)"
        }
    }

    static func text(_ kind: Report.Kind) -> String {
        switch kind {
        case .pressed: "pressed"
        case .released: "released"
        case .buttonPressed(let button): "pressed \(word(button))"
        case .buttonReleased(let button): "released \(word(button))"
        case .opened: "opened"
        case .closed(let origin): origin == .panel ? "closed" : "closed by \(origin.place)"
        case .lampTest(let isOn, let origin):
            "lamp test \(isOn ? "on" : "off") by \(origin.place)"
        case .reload(_, let origin): "reload by \(origin.place)"
        case .focused(let focus): "focused \(word(focus))"
        case .chosen(let value, let origin): "chosen \(word(value)) by \(origin.place)"
        case .staged(let value): "staged \(word(value))"
        case .clicked: "clicked"
        case .doubleClicked: "double-clicked"
        case .multiClicked(let count): "multi-clicked \(count)"
        case .held: "held"
        case .repeated: "repeated"
        case .stepped(let delta): "stepped \(delta)"
        case .moved(let position): "moved \(word(position))"
        case .invalid: "invalid"
        case .changed(let value, let origin): "changed \(word(value)) by \(origin.place)"
        case .confirmed(let value): "confirmed \(word(value))"
        case .phase(let phase, let reason):
            reason == .none ? "phase \(phase)" : "phase \(phase): \(word(reason))"
        case .flag(let flag, let isSet): "\(isSet ? "flag" : "no") \(word(flag))"
        case .refused(let refusal, let origin): "refused \(refusal) by \(origin.place)"
        case .armed: "armed"
        case .progress(let percent): "progress \(percent)"
        case .indicator(let pattern): "indicator \(pattern)"
        case .output(let line, let level): "output l\(line.index) \(word(level))"
        case .lost(let count): "lost \(count)"
        case .fault(let reason): "fault \(reason)"
        }
    }

    static func word(_ level: Level) -> String { level == .active ? "on" : "off" }

    static func word(_ value: Value) -> String { value == .unknown ? "?" : "\(value.raw)" }

    static func word(_ reason: Reason) -> String {
        switch reason.cause {
        case .none: "none"
        case .failed(let failure): word(failure)
        case .timedOut: "timeout"
        case .cancelled: "cancelled"
        case .killed(let signal): "signal \(signal)"
        case .lost: "lost"
        }
    }

    static func word(_ failure: ActionFailure) -> String {
        switch failure {
        case .exit(let status): "code \(status)"
        case .notStarted: "not started"
        case .cannotStart(let errno): "errno \(errno)"
        case .valueUnknown(let control): "c\(control.index) unknown"
        case .stepFailed: "step failed"
        case .invalidAnswer: "invalid answer"
        case .http(let status): "http \(status)"
        case .refused: "refused"
        case .unreachable: "unreachable"
        }
    }

    static func word(_ flag: Flag) -> String {
        switch flag {
        case .disabled: "disabled"
        case .mixed: "mixed"
        case .mismatch: "mismatch"
        case .stale: "stale"
        case .unconfirmed: "unconfirmed"
        case _: "flags \(flag.rawValue)"
        }
    }
}

import DetentCore
import DetentTypes

/// Effects as bytes: a fixed form that does not depend on the width of a word.
enum EffectBytes {
    static func write(_ effect: Effect, _ at: Instant, _ put: (UInt8) -> Void) {
        number(at.nanoseconds, 8, put)
        switch effect {
        case .readLevel(let line): fields(1, line.index, 0, 0, put)
        case .indicate(let line, let level): fields(2, line.index, Int32(level.rawValue), 0, put)
        case .adjust(let line, let strength):
            fields(9, line.index, Int32(strength.tenThousandths), 0, put)
        case .drive(let line, let level): fields(3, line.index, Int32(level.rawValue), 0, put)
        case .provide(let control, let value): fields(8, control.index, value.raw, 0, put)
        case .start(let action, let run, let control, let value, let previous, let origin):
            fields(4, action.index, Int32(truncatingIfNeeded: run.number), value.raw, put)
            fields(5, control.index, previous.raw, Int32(origin.rawValue), put)
        case .cancel(let action, let run):
            fields(6, action.index, Int32(truncatingIfNeeded: run.number), 0, put)
        case .report(let report): write(report, put)
        case .answer(let request, let control, let answer):
            fields(
                7, control.index, Int32(truncatingIfNeeded: request.number), number(of: answer),
                put)
        }
    }

    private static func number(of answer: Answer) -> Int32 {
        switch answer {
        case .accepted: 0
        case .refused(let refusal): 1 &+ Int32(refusal.rawValue)
        case .noControl: 255
        }
    }

    private static func write(_ report: Report, _ put: (UInt8) -> Void) {
        let id = report.control.index
        switch report.kind {
        case .pressed: fields(16, id, 0, 0, put)
        case .released: fields(17, id, 0, 0, put)
        case .clicked: fields(18, id, 0, 0, put)
        case .doubleClicked: fields(19, id, 0, 0, put)
        case .multiClicked(let count): fields(20, id, Int32(count), 0, put)
        case .held: fields(21, id, 0, 0, put)
        case .repeated: fields(22, id, 0, 0, put)
        case .stepped(let delta): fields(23, id, Int32(delta), 0, put)
        case .moved(let position): fields(24, id, position.raw, 0, put)
        case .invalid: fields(25, id, 0, 0, put)
        case .changed(let value, let origin):
            fields(26, id, value.raw, Int32(origin.rawValue), put)
        case .confirmed(let value): fields(27, id, value.raw, 0, put)
        case .phase(let phase, let reason):
            fields(28, id, Int32(phase.rawValue), number(of: reason), put)
        case .flag(let flag, let isSet): fields(29, id, Int32(flag.rawValue), isSet ? 1 : 0, put)
        case .refused(let refusal, let origin):
            fields(30, id, Int32(refusal.rawValue), Int32(origin.rawValue), put)
        case .armed: fields(31, id, 0, 0, put)
        case .progress(let percent): fields(32, id, Int32(percent), 0, put)
        case .indicator(let pattern): fields(33, id, Int32(pattern.rawValue), 0, put)
        case .output(let line, let level):
            fields(34, id, Int32(line.index), Int32(level.rawValue), put)
        case .lost(let count): fields(35, id, Int32(truncatingIfNeeded: count), 0, put)
        case .fault(let reason): fields(36, id, Int32(reason.rawValue), 0, put)
        case .buttonPressed(let button): fields(37, id, button.raw, 0, put)
        case .buttonReleased(let button): fields(38, id, button.raw, 0, put)
        case .opened: fields(39, id, 0, 0, put)
        case .closed(let origin): fields(40, id, Int32(origin.rawValue), 0, put)
        case .focused(let focus): fields(41, id, focus.raw, 0, put)
        case .chosen(let value, let origin):
            fields(42, id, value.raw, Int32(origin.rawValue), put)
        case .staged(let value): fields(43, id, value.raw, 0, put)
        case .lampTest(let isOn, let origin):
            fields(44, id, isOn ? 1 : 0, Int32(origin.rawValue), put)
        case .reload(_, let origin): fields(45, id, 0, Int32(origin.rawValue), put)
        }
    }

    private static func number(of failure: ActionFailure) -> Int32 {
        switch failure {
        case .exit(let status): 16 &+ Int32(status)
        case .notStarted: 15
        case .stepFailed: 14
        case .valueUnknown(let control): 0x20000 &+ Int32(control.index)
        case .invalidAnswer: 13
        case .refused: 12
        case .unreachable: 11
        case .http(let status): 8192 &+ Int32(status)
        case .cannotStart(let errno): 16_384 &+ Int32(errno)
        }
    }

    private static func number(of reason: Reason) -> Int32 {
        switch reason.cause {
        case .none: 0
        case .failed(let failure): number(of: failure)
        case .timedOut: 1
        case .cancelled: 2
        case .lost: 3
        case .killed(let signal): 4096 &+ Int32(signal)
        }
    }

    private static func fields(
        _ tag: UInt8, _ id: UInt16, _ first: Int32, _ second: Int32, _ put: (UInt8) -> Void
    ) {
        put(tag)
        number(UInt64(id), 2, put)
        number(UInt64(UInt32(bitPattern: first)), 4, put)
        number(UInt64(UInt32(bitPattern: second)), 4, put)
    }

    /// The lowest bytes of a number, lowest first.
    private static func number(_ value: UInt64, _ bytes: UInt8, _ put: (UInt8) -> Void) {
        var rest = value
        for _ in 0..<bytes {
            put(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}

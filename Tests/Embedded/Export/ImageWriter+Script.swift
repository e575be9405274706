import DetentCore
import DetentTypes

extension ImageWriter {
    /// The bytes that `ScriptImage` reads; nil in place of an event: the process ended.
    static func script(_ inputs: [(event: Event?, at: Instant)]) -> [UInt8] {
        var writer = ImageWriter()
        var now = Instant.zero
        for (event, at) in inputs {
            writer.signed(Int64(bitPattern: at.nanoseconds &- now.nanoseconds))
            now = at
            if let event { writer.write(event) } else { writer.byte(255) }
        }
        return writer.bytes
    }

    private mutating func write(_ event: Event) {
        switch event {
        case .tick: byte(0)
        case .start: byte(1)
        case .edge(let which, let to, let sequence):
            tag(2, which, to)
            number(sequence)
        case .reading(let which, let found): tag(3, which, found)
        case .sample(let which, let sample):
            tag(22, which)
            value(Value(sample))
        case .overflow(let which): tag(4, which)
        case .lineFault(let which): tag(5, which)
        case .lineRestored(let which): tag(6, which)
        case .outputWritten(let which, let to): tag(18, which, to)
        case .resync(let origin):
            byte(16)
            byte(origin.rawValue)
        case .lampTest(let isOn, let origin):
            byte(17)
            flag(isOn)
            byte(origin.rawValue)
        case .reload(let origin, _):
            byte(21)
            byte(origin.rawValue)
        case .broker(let isOffline):
            byte(19)
            flag(isOffline)
        case .intent, .change, .fire, .close, .actionStarted, .actionFinished, .saved, .answered,
            .feedback, .feedbackLost:
            writeOfControl(event)
        }
    }

    private mutating func tag(_ tag: UInt8, _ which: LineID, _ to: Level? = nil) {
        byte(tag)
        line(which)
        if let to { level(to) }
    }

    private mutating func tag(_ tag: UInt8, _ whose: ControlID, _ wanted: Value? = nil) {
        byte(tag)
        control(whose)
        if let wanted { value(wanted) }
    }

    private mutating func tag(_ tag: UInt8, _ whose: ControlID, _ run: RunID) {
        self.tag(tag, whose)
        number(run.number)
    }

    private mutating func writeOfControl(_ event: Event) {
        switch event {
        case .intent(let whose, let wanted, let origin, let request):
            tag(7, whose, wanted)
            byte(origin.rawValue)
            number(request.number)
        case .change(let whose, let distance, let origin, let request):
            tag(20, whose, Value(distance))
            byte(origin.rawValue)
            number(request.number)
        case .fire(let whose, let wanted, let origin, let isConfirmed, let request):
            tag(8, whose, wanted)
            byte(origin.rawValue)
            flag(isConfirmed)
            number(request.number)
        case .close(let whose, let origin):
            tag(15, whose)
            byte(origin.rawValue)
        case .actionStarted(let whose, let run): tag(9, whose, run)
        case .actionFinished(let whose, let run, let outcome):
            tag(10, whose, run)
            write(outcome)
        case .saved(let whose, let kept): tag(11, whose, kept)
        case .answered(let whose, let run, let said):
            tag(12, whose, run)
            value(said)
        case .feedback(let whose, let said, _): tag(13, whose, said)
        case .feedbackLost(let whose): tag(14, whose)
        case .tick, .start, .edge, .reading, .sample, .overflow, .lineFault, .lineRestored,
            .outputWritten, .resync, .lampTest, .reload, .broker:
            break  // written above
        }
    }

    private mutating func write(_ outcome: ActionOutcome) {
        switch outcome {
        case .succeeded: byte(0)
        case .timedOut: byte(1)
        case .cancelled: byte(2)
        case .lost: byte(3)
        case .killed(let signal):
            byte(4)
            byte(signal)
        case .failed(.exit(let status)):
            byte(5)
            byte(status)
        case .failed(.notStarted): byte(6)
        case .failed(.cannotStart(let errno)):
            byte(7)
            number(errno)
        case .failed(.stepFailed): byte(8)
        case .failed(.invalidAnswer): byte(9)
        case .failed(.http(let status)):
            byte(10)
            number(status)
        case .failed(.refused): byte(11)
        case .failed(.unreachable): byte(12)
        // Only the core says this.
        case .failed(.valueUnknown): byte(6)
        }
    }
}

import DetentCore
import DetentTypes

/// One input of a recorded run.
enum ScriptInput {
    /// The engine is given an event.
    case event(Event)
    /// The process has ended: a new engine takes its place.
    case restart
}

/// The inputs of a recorded run with their moments; `Export/ImageWriter.swift` writes them.
///
/// Deadlines are no inputs: the player of the script fires them.
struct ScriptImage {
    private var reader: ImageReader
    private var now = Instant.zero

    init(_ bytes: UnsafeRawBufferPointer) {
        reader = ImageReader(bytes)
    }

    /// Whether all was read, and nothing of it was damaged.
    var isWhole: Bool { reader.isAtEnd && !reader.isDamaged }

    /// The next input; nil at the end, or where the bytes are damaged.
    mutating func next() -> (input: ScriptInput, at: Instant)? {
        guard !reader.isAtEnd, !reader.isDamaged else { return nil }
        let distance = reader.signed()
        now.nanoseconds = now.nanoseconds &+ UInt64(bitPattern: distance)
        let input = reader.input()
        return reader.isDamaged ? nil : (input, now)
    }
}

extension ImageReader {
    fileprivate mutating func input() -> ScriptInput {
        let tag = byte()
        return tag == 255 ? .restart : .event(tag < 7 ? lineEvent(tag) : controlEvent(tag))
    }

    private mutating func lineEvent(_ tag: UInt8) -> Event {
        if tag == 0 { return .tick }
        if tag == 1 { return .start }
        let which = line()
        switch tag {
        case 2:
            let level = level()
            return .edge(which, level, sequence: number32())
        case 3: return .reading(which, level())
        case 4: return .overflow(which)
        case 5: return .lineFault(which)
        case _: return .lineRestored(which)
        }
    }

    private mutating func controlEvent(_ tag: UInt8) -> Event {
        if tag == 16 { return .resync(by: origin()) }
        if tag == 17 {
            let isOn = flag()
            return .lampTest(isOn: isOn, by: origin())
        }
        if tag == 21 { return .reload(by: origin()) }
        if tag == 19 { return .broker(isOffline: flag()) }
        if tag == 22 {
            let which = line()
            return .sample(which, value().raw)
        }
        if tag == 18 {
            let which = line()
            return .outputWritten(which, level())
        }
        let whose = control()
        switch tag {
        case 7:
            let wanted = value()
            let origin = origin()
            return .intent(whose, wanted, origin, request: RequestID(number32()))
        case 20:
            let distance = value().raw
            let origin = origin()
            return .change(whose, by: distance, origin, request: RequestID(number32()))
        case 8:
            let wanted = value()
            let origin = origin()
            let isConfirmed = flag()
            return .fire(
                whose, wanted, origin, isConfirmed: isConfirmed, request: RequestID(number32()))
        case 9: return .actionStarted(whose, RunID(number32()))
        case 10:
            let run = RunID(number32())
            return .actionFinished(whose, run, outcome())
        case 11: return .saved(whose, value())
        case 12:
            let run = RunID(number32())
            return .answered(whose, run, value())
        case 13: return .feedback(whose, value())
        case 14: return .feedbackLost(whose)
        case 15: return .close(whose, by: origin())
        case _:
            reject()
            return .tick
        }
    }

    private mutating func origin() -> Origin {
        guard let origin = Origin(rawValue: byte()) else {
            reject()
            return .panel
        }
        return origin
    }

    private mutating func outcome() -> ActionOutcome {
        switch byte() {
        case 0: return .succeeded
        case 1: return .timedOut
        case 2: return .cancelled
        case 3: return .lost
        case 4: return .killed(signal: byte())
        case 5: return .failed(.exit(byte()))
        case 6: return .failed(.notStarted)
        case 7: return .failed(.cannotStart(errno: number16()))
        case 8: return .failed(.stepFailed)
        case 9: return .failed(.invalidAnswer)
        case 10: return .failed(.http(status: number16()))
        case 11: return .failed(.refused)
        case 12: return .failed(.unreachable)
        case _:
            reject()
            return .lost
        }
    }
}

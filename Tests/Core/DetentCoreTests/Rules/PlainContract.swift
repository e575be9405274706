import DetentTypes

@testable import DetentCore

/// What a destructive button should tell, worked out from the whole of what happened to it.
///
/// There is no state: it is read like a text, in which each contract is a phrase that ends in one
/// of a few ways.
struct PlainContract {
    enum Happening: Equatable {
        case press
        case release
        /// The level was read, and the button is down.
        case readDown
        /// The control was disabled, or its line failed and came back.
        case spoilt
    }

    /// The happenings in their order.
    let history: [(at: UInt64, what: Happening)]
    private var told: [(UInt64, String)] = []
    private var place = 0

    /// Ends at `end`: what would be told later is not told.
    static func told(
        _ history: [(at: UInt64, what: Happening)], _ confirm: ConfirmSettings, until end: UInt64
    ) -> [String] {
        var reader = PlainContract(history: history)
        while let press = reader.next(.press) {
            switch confirm {
            case .hold(let time): reader.readHold(press, time.nanoseconds)
            case .pressTwice(let time): reader.readTwo(press, time.nanoseconds)
            case .arm(let time): reader.readArming(press, time.nanoseconds)
            case .none, .guarded, .chord: fatalError("no phrase of these")
            }
        }
        return reader.told.filter { $0.0 <= end }
            .map { "\(Words.time(Instant(nanoseconds: $0.0))) \($0.1)" }
    }

    private init(history: [(at: UInt64, what: Happening)]) {
        self.history = history
    }

    /// Reads on to the next of some happenings; nil at the end of the text.
    private mutating func next(_ wanted: Happening...) -> (at: UInt64, what: Happening)? {
        guard let found = history[place...].firstIndex(where: { wanted.contains($0.what) }) else {
            place = history.count
            return nil
        }
        place = found + 1
        return history[found]
    }

    private mutating func readHold(_ press: (at: UInt64, what: Happening), _ time: UInt64) {
        let due = press.at + time
        let step = max(1, time / 1_024 * 102)
        // A reading before the time is over says nothing.
        var end = next(.release, .spoilt, .readDown)
        while let early = end, early.what == .readDown, early.at < due {
            end = next(.release, .spoilt, .readDown)
        }
        let endsAt = end?.at ?? .max
        for tenth in 1...9 as ClosedRange<UInt64> {
            let at = press.at + tenth * step
            if at <= endsAt, at < due { told.append((at, "c0 progress \(tenth * 10)")) }
        }
        guard let end else { return }
        if end.what == .readDown {
            fire(end.at)
        } else {
            told.append((end.at, "c0 progress 0"))
        }
    }

    private mutating func readTwo(_ press: (at: UInt64, what: Happening), _ time: UInt64) {
        told.append((press.at, "c0 armed"))
        lookForTheSecond(from: press.at + 500_000_000, until: press.at + time)
    }

    private mutating func readArming(_ press: (at: UInt64, what: Happening), _ time: UInt64) {
        guard let end = next(.release, .spoilt) else { return }
        guard end.what == .release else { return told.append((end.at, "c0 progress 0")) }
        told.append((end.at, "c0 armed"))
        lookForTheSecond(from: end.at + 500_000_000, until: end.at + time)
    }

    private mutating func lookForTheSecond(from start: UInt64, until end: UInt64) {
        var second = next(.press, .spoilt)
        while let early = second, early.what == .press, early.at < start, early.at < end {
            second = next(.press, .spoilt)
        }
        if let second, second.at < end {
            return second.what == .press
                ? fire(second.at) : told.append((second.at, "c0 progress 0"))
        }
        told.append((end, "c0 progress 0"))
        if second != nil { place -= 1 }  // that is the next phrase's
    }

    private mutating func fire(_ at: UInt64) {
        told += [(at, "c0 progress 100"), (at, "start")]
    }
}

/// Where two logs differ for the first time; nil where they are equal.
func firstDifference(_ one: [String], _ other: [String]) -> String? {
    guard one != other else { return nil }
    let place = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let start = place ?? min(one.count, other.count)
    return "\(one.dropFirst(start).prefix(3)) is not \(other.dropFirst(start).prefix(3))"
}

import DetentTypes

/// What one input changed, for the engine to report in the contract's order.
struct Changes: BitwiseCopyable {
    struct Reports: OptionSet, BitwiseCopyable {
        let rawValue: UInt8
        static var value: Reports { Reports(rawValue: 1) }
        static var phase: Reports { Reports(rawValue: 2) }
        static var confirmed: Reports { Reports(rawValue: 4) }
    }

    /// The attempts to start and to stop.
    enum Order: BitwiseCopyable {
        case none
        case start(AttemptHandle)
        case stop(AttemptHandle)
        case replace(AttemptHandle, by: AttemptHandle)
    }

    var reports: Reports = []
    /// Why the phase began.
    var reason = Reason.none
    private(set) var order = Order.none

    mutating func start(_ attempt: AttemptHandle) {
        switch order {
        case .none, .start: order = .start(attempt)
        case .stop(let former), .replace(let former, _): order = .replace(former, by: attempt)
        }
    }

    mutating func stop(_ attempt: AttemptHandle) {
        switch order {
        case .none, .stop: order = .stop(attempt)
        case .start(let next), .replace(_, let next): order = .replace(attempt, by: next)
        }
    }

    /// Whether an attempt starts.
    var startsAttempt: Bool {
        switch order {
        case .none, .stop: false
        case .start, .replace: true
        }
    }
}

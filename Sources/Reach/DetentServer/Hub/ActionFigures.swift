import DetentCore
import DetentPanel
import DetentTypes

/// How often the actions of one control succeeded and failed, and how long they took.
///
/// An action lasts from the acceptance of a request until its outcome is shown, with all retries.
struct ActionFigures: Equatable {
    /// How an action ended.
    enum Result: String, CaseIterable {
        case ok, failed, timeout, cancelled
    }

    /// The upper bounds of the histogram, in seconds as Prometheus prints them, and as spans.
    static let bounds: [(text: String, span: TimeSpan)] = [
        ("0.005", .milliseconds(5)), ("0.01", .milliseconds(10)), ("0.025", .milliseconds(25)),
        ("0.05", .milliseconds(50)), ("0.1", .milliseconds(100)), ("0.25", .milliseconds(250)),
        ("0.5", .milliseconds(500)), ("1", .seconds(1)), ("2.5", .milliseconds(2_500)),
        ("5", .seconds(5)), ("10", .seconds(10)), ("30", .seconds(30)),
    ]

    private(set) var results = [UInt64](repeating: 0, count: Result.allCases.count)
    /// How many actions lasted at most as long as each bound; not cumulative.
    private(set) var buckets = [UInt64](repeating: 0, count: bounds.count)
    private(set) var count: UInt64 = 0
    private(set) var nanoseconds: UInt64 = 0
    private var began: Instant?

    /// Takes a change of the control's phase.
    ///
    /// - Returns: how the action ended; nil if the change ends none.
    @discardableResult
    mutating func record(_ phase: Phase, _ reason: Reason, at now: Instant) -> Result? {
        switch phase {
        case .pending, .loading:
            began = began ?? now
            return nil
        case .idle, .failed:
            guard let began else { return nil }
            self.began = nil
            let result = Result(phase, reason)
            end(result, after: now - began)
            return result
        }
    }

    private mutating func end(_ result: Result, after span: TimeSpan) {
        results[Result.allCases.firstIndex(of: result) ?? 0] += 1
        count += 1
        nanoseconds += span.nanoseconds
        if let place = Self.bounds.firstIndex(where: { span <= $0.span }) { buckets[place] += 1 }
    }

    /// The count of a result.
    subscript(_ result: Result) -> UInt64 {
        results[Result.allCases.firstIndex(of: result) ?? 0]
    }

    /// The sum in seconds, with nine decimals.
    var seconds: String {
        DecimalNumber.text(units: Int64(clamping: nanoseconds), decimals: 9)
    }
}

extension ActionFigures.Result {
    fileprivate init(_ phase: Phase, _ reason: Reason) {
        switch reason.cause {
        case .none: self = phase == .failed ? .failed : .ok
        case .failed, .killed, .lost: self = .failed
        case .timedOut: self = .timeout
        case .cancelled: self = .cancelled
        }
    }
}

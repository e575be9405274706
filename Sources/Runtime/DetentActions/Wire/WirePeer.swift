package import DetentTypes

/// What a device says, cut into answers and lines, in bounded memory: pure, without a descriptor.
///
/// While an answer is waited for, the first part of a line that fits is the answer; other lines are
/// reports. The newest `ActionLimits.wireReports` of them wait, and pass together once in
/// `ActionLimits.wireGap`.
package struct WirePeer {
    private struct Awaited {
        var number: UInt32
        var expectation: WireExpectation
        /// Bytes that came since the order.
        var looked = 0
    }

    private var awaited: Awaited?
    private var line: [UInt8] = []
    /// Whether the rest of the line belongs to an answer.
    private var isSpent = false
    private var reports: [[UInt8]] = []
    private var opensAt = Instant.zero

    package init() {}

    /// Whether an answer is waited for.
    package var isAwaiting: Bool { awaited != nil }

    /// An order was sent. What came before is no answer to it.
    package mutating func sent(_ order: WireOrder) {
        awaited = order.expectation.map { Awaited(number: order.number, expectation: $0) }
        if awaited != nil { endLine() }
    }

    /// Takes what came.
    ///
    /// - Parameter endsLine: whether nothing can follow, as after a datagram.
    /// - Returns: how an order has ended, if it has.
    package mutating func take(_ bytes: ArraySlice<UInt8>, endsLine: Bool) -> WireNote? {
        var note: WireNote?
        for byte in bytes {
            awaited?.looked += 1
            if byte == 0x0A || byte == 0x0D {
                note = look(isWhole: true) ?? note
                endLine()
            } else if line.count < ActionLimits.reportLine {
                line.append(byte)
                // Without a value, and before a known end, no line feed is needed.
                if awaited != nil { note = look(isWhole: false) ?? note }
            }
            if let pending = awaited, pending.looked >= ActionLimits.wireLooked {
                awaited = nil
                note = .unfit(pending.number)
            }
        }
        if endsLine {
            note = look(isWhole: true) ?? note
            endLine()
        }
        return note
    }

    private mutating func look(isWhole: Bool) -> WireNote? {
        guard let pending = awaited,
            let place = pending.expectation.match(line[...], isWhole: isWhole)
        else { return nil }
        awaited = nil
        isSpent = true
        let begin = place.lowerBound - pending.expectation.before.count
        let end = place.upperBound + (pending.expectation.after?.count ?? 0)
        return .answered(pending.number, Array(line[begin..<end].prefix(ActionLimits.wireAnswer)))
    }

    private mutating func endLine() {
        if !isSpent, line.contains(where: { $0 > 0x20 }) {
            reports.append(line)
            if reports.count > ActionLimits.wireReports { reports.removeFirst() }
        }
        line = []
        isSpent = false
    }

    /// The reports that are due.
    package mutating func due(at now: Instant) -> [[UInt8]] {
        guard !reports.isEmpty, opensAt <= now else { return [] }
        defer { reports = [] }
        opensAt = now + ActionLimits.wireGap
        return reports
    }

    /// When `due` has something; `never` if no report waits.
    package var deadline: Instant { reports.isEmpty ? .never : opensAt }
}

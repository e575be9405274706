public import DetentCore
public import DetentTypes

/// Decides when the values of a panel are written to its file: at most once a second, and only if
/// they differ from the file.
///
///     clean ──another value──▶ dirty, due at once or a second after the last attempt
///       ▲                        │ begin, ended(true)
///       └────────────────────────┘   (false: due again after a minute)
///
/// It does not write anything itself, and the caller passes the time.
public struct StateJournal: Equatable, Sendable {
    /// Time from one write to the next, because memory cards wear out.
    public static let pause = TimeSpan.seconds(1)
    /// Time from a failed write to the next attempt.
    public static let pauseAfterFailure = TimeSpan.seconds(60)

    private let isKept: [Bool]
    /// The value of each control; nil if it is not known yet.
    private var shown: [Value?]
    /// The values in the file.
    private var written: [Value?]
    private var notBefore = Instant.zero
    private var changedAt = Instant.zero

    /// Starts with the values of a file.
    public init(_ plan: PanelPlan, saved: [SavedValue] = []) {
        isKept = plan.controls.map(\.isKept)
        shown = plan.controls.map { _ in nil }
        for entry in saved where shown.indices.contains(Int(entry.control.index)) {
            shown[Int(entry.control.index)] = entry.value
        }
        written = shown
    }

    /// The values in the file.
    public var saved: [SavedValue] {
        written.enumerated().compactMap { place, value in
            value.map { SavedValue(control: ControlID(UInt16(clamping: place)), value: $0) }
        }
    }

    /// Whether the values differ from the file.
    public var isDirty: Bool { shown != written }

    /// When the file must be written; `never` if it is up to date.
    public var deadline: Instant { isDirty ? notBefore : .never }

    /// Takes the value of a report; true if the file must be written now or later.
    public mutating func note(_ report: Report, at now: Instant) -> Bool {
        guard case .changed(let value, _) = report.kind else { return false }
        return record(SavedValue(control: report.control, value: value), at: now)
    }

    /// Takes the value of a control; true if the file must be written now or later.
    public mutating func record(_ value: SavedValue, at now: Instant) -> Bool {
        let place = Int(value.control.index)
        guard shown.indices.contains(place), isKept[place] else { return false }
        shown[place] = value.value
        changedAt = now
        return isDirty
    }

    /// The values to write now.
    public var values: [Value?] { shown }

    /// Call it when a write of these values has ended.
    public mutating func ended(_ values: [Value?], isWritten: Bool, at now: Instant) {
        if isWritten { written = values }
        notBefore = now + (isWritten ? Self.pause : Self.pauseAfterFailure)
    }

    /// Simulates the writes that are due, as if writing took no time and never failed.
    public mutating func writeDue(by now: Instant) {
        guard deadline <= now else { return }
        ended(shown, isWritten: true, at: max(notBefore, changedAt))
    }

    /// Simulates the write at an orderly end.
    public mutating func writeAll() { written = shown }
}

public import DetentCore
public import DetentTypes

/// What is to be kept over a restart, and when it is written: at most once a second, and never
/// while it says what the file says already.
///
///     clean ──another value──▶ dirty, due at once or a second after the last try
///       ▲                        │ begin, ended(true)
///       └────────────────────────┘   (false: due again after a minute)
///
/// Pure: it writes nothing itself, and is told the time.
public struct StateJournal: Equatable, Sendable {
    /// Time from one write to the next: cards wear out.
    public static let pause = TimeSpan.seconds(1)
    /// Time from a write that failed to the next.
    public static let pauseAfterFailure = TimeSpan.seconds(60)

    private let isKept: [Bool]
    /// What each control shows; nil where nobody has said.
    private var shown: [Value?]
    /// What the file says.
    private var written: [Value?]
    private var notBefore = Instant.zero
    private var changedAt = Instant.zero

    /// Begins with what a file says.
    public init(_ plan: PanelPlan, saved: [SavedValue] = []) {
        isKept = plan.controls.map(\.isKept)
        shown = plan.controls.map { _ in nil }
        for it in saved where shown.indices.contains(Int(it.control.index)) {
            shown[Int(it.control.index)] = it.value
        }
        written = shown
    }

    /// The values as the file has them.
    public var saved: [SavedValue] {
        written.enumerated().compactMap { place, value in
            value.map { SavedValue(control: ControlID(UInt16(clamping: place)), value: $0) }
        }
    }

    /// Whether the file says something else than the controls show.
    public var isDirty: Bool { shown != written }

    /// When something is to be written; `never` where nothing is.
    public var deadline: Instant { isDirty ? notBefore : .never }

    /// Takes what a report says of a value; true where something is to be written now or later.
    public mutating func note(_ report: Report, at now: Instant) -> Bool {
        guard case .changed(let value, _) = report.kind else { return false }
        let place = Int(report.control.index)
        guard shown.indices.contains(place), isKept[place] else { return false }
        shown[place] = value
        changedAt = now
        return isDirty
    }

    /// The values to write now.
    public var values: [Value?] { shown }

    /// Such values have been written, or could not be.
    public mutating func ended(_ values: [Value?], isWritten: Bool, at now: Instant) {
        if isWritten { written = values }
        notBefore = now + (isWritten ? Self.pause : Self.pauseAfterFailure)
    }

    /// Writes what was due by a moment, as if writing took no time and never failed.
    public mutating func writeDue(by now: Instant) {
        guard deadline <= now else { return }
        ended(shown, isWritten: true, at: max(notBefore, changedAt))
    }

    /// Writes everything, as an orderly end does.
    public mutating func writeAll() { written = shown }
}

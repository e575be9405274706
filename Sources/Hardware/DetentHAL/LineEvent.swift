public import DetentTypes

/// An event of a line, with the timestamp of its first observer.
public struct LineEvent: Equatable, Sendable, BitwiseCopyable {
    /// What happened.
    public enum Kind: Equatable, Sendable, BitwiseCopyable {
        /// The level changed. `sequence` counts the edges of this line from 1; 0 if the source
        /// cannot count. A gap means that edges were lost.
        case edge(Level, sequence: UInt32)
        /// The level was read: at start, for repair, or by polling.
        case reading(Level)
        /// The converter of an analog line has another sample: at start, and after each change.
        case sample(Int32)
        /// Another thread drove an output, because its chip sleeps or had to be requested again;
        /// the timestamp is just after the write. Writes for which `write` returned a timestamp are
        /// not reported.
        case written(Level)
        /// Edges of this line may have been lost without a gap, such as when a queue was full. The
        /// engine then requests a reading.
        case overflow
        /// The line cannot be used for now: its chip was removed, or its bus fails.
        case fault(errno: Int32)
        /// The line is available again after a fault, or after it could not be requested at `open`.
        /// A reading follows for an input, a `written` for an output. Edges are counted from 1
        /// again.
        case restored
    }

    /// The line, by its index in the lines given to `open`.
    public var line: LineID
    /// What happened.
    public var kind: Kind
    /// When it happened: the kernel's timestamp for edges, the moment of reading for readings.
    public var at: Instant

    /// The level of the line from this event on; nil if the event has none.
    public var level: Level? {
        switch kind {
        case .edge(let level, _), .reading(let level), .written(let level): level
        case .sample, .overflow, .fault, .restored: nil
        }
    }

    /// Makes an event.
    public init(line: LineID, kind: Kind, at: Instant) {
        self.line = line
        self.kind = kind
        self.at = at
    }
}

public import DetentTypes

/// Something that happened at a line, with the stamp of whoever saw it first.
public struct LineEvent: Equatable, Sendable, BitwiseCopyable {
    /// What happened.
    public enum Kind: Equatable, Sendable, BitwiseCopyable {
        /// The level changed. `sequence` counts the edges of this line from 1; 0 where the source
        /// cannot count. A gap means that edges were lost.
        case edge(Level, sequence: UInt32)
        /// The level was read, not announced: at start, for repair, or by polling for an audit.
        case reading(Level)
        /// An output was driven by another thread, because its chip sleeps or had to be requested
        /// again; the stamp is just after the write. Writes that `write` itself stamped do not
        /// come.
        case written(Level)
        /// Edges of this line may have been lost without a trace, such as a batch that filled a
        /// queue: the engine asks for a reading.
        case overflow
        /// The line cannot be used for now: its chip is gone, or its bus fails.
        case fault(errno: Int32)
        /// The line is back after a fault, or after it could not be had at `open`. A reading
        /// follows for an input, a `written` for an output. Edges are counted from 1 again.
        case restored
    }

    /// The line, by its place in what was given to `open`.
    public var line: LineID
    /// What happened.
    public var kind: Kind
    /// When it happened: the kernel's stamp for edges, the moment of reading for readings.
    public var at: Instant

    /// The level that the line has from this event on; nil where it tells none.
    public var level: Level? {
        switch kind {
        case .edge(let level, _), .reading(let level), .written(let level): level
        case .overflow, .fault, .restored: nil
        }
    }

    /// Makes an event.
    public init(line: LineID, kind: Kind, at: Instant) {
        self.line = line
        self.kind = kind
        self.at = at
    }
}

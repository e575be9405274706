/// Every bound of captures and traces, with what happens when it is reached.
public enum TraceLimits {
    /// Edges of one capture in memory; a longer one is refused. At 16 bytes each this is 160 MB,
    /// and up to twice as much during reading. A `CaptureStream` keeps no edges of a CSV or VCD,
    /// so it has no such limit.
    public static let edges = 10_000_000

    /// Edges that a `CaptureStream` reads ahead.
    static let edgesAhead = 1_024

    /// Lines of one capture, and signals of one trace; more are refused.
    public static let lines = 4_096

    /// Bytes of a capture file; a larger one is refused.
    public static let fileSize: UInt64 = 1 << 30

    /// Bytes of one row or word of a text file; a longer one is refused.
    public static let wordLength = 4_096

    /// Sample bytes of a sigrok session after inflating; more are refused.
    public static let sampleBytes: UInt64 = 1 << 36

    /// Bytes of a sigrok session's metadata after inflating; more are refused.
    public static let metadataSize = 1 << 20

    /// Entries of a ZIP archive; an archive with more is refused. The format needs ZIP64 for more.
    public static let archiveEntries = 65_534

    /// Bytes of the table of a ZIP archive; a larger one is refused. Sigrok needs about 60 for each
    /// entry.
    public static let archiveTable = 4 << 20

    /// Problems that are reported for one file; reading ends at the last.
    public static let problems = 100

    /// Bytes that a writer buffers before it writes them.
    public static let writeBuffer = 65_536

    /// Samples in a second of a recorded sigrok session: 1 MHz keeps each microsecond.
    public static let sampleRate: UInt64 = 1_000_000

    /// Sample bytes of one piece of a recorded session; the next piece begins after it. Packed, it
    /// is in memory until it is written.
    public static let pieceBytes = 16 << 20
}

package import DetentTypes
import Glibc

/// What a program that runs as long as the panel prints on its standard error, as lines for a log.
///
/// The program writes into a pipe, not into the log of the panel. Each line is cut to
/// `ActionLimits.errorLine` bytes; who logs it makes it printable. Of many lines the first ones are
/// told, and then their number. Synchronization: none; one thread.
package struct ErrorLines: Sendable {
    private var pipe: OutputPipe
    private var line: [UInt8] = []
    private var hasLine = false
    private var readsAt = Instant.zero
    /// When the present count of lines began.
    private var since: Instant?
    private var told = 0
    private var untold = 0

    /// Reads from a pipe, which is closed by `end`.
    init(_ pipe: OutputPipe) { self.pipe = pipe }

    /// The reading end; -1 once it is closed, or if it was read a moment ago.
    package func descriptor(at now: Instant) -> Int32 { now < readsAt ? -1 : pipe.descriptor }

    /// When `read` is needed although nothing may be readable.
    package var deadline: Instant {
        let more = pipe.descriptor >= 0 && readsAt > .zero ? readsAt : .never
        let count = untold > 0 ? since.map { $0 + ActionLimits.errorLinesTime } : nil
        return min(more, count ?? .never)
    }

    /// Reads once.
    ///
    /// - Returns: what the log is to have, each without a line feed.
    package mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, at now: Instant
    ) -> [String] {
        var lines: [String] = []
        tellCount(&lines, at: now)
        guard readsAt <= now else { return lines }
        let count = pipe.readOnce(into: buffer)
        readsAt = count > 0 ? now + ActionLimits.errorGap : .zero
        add(buffer.prefix(count), &lines, at: now)
        return lines
    }

    /// Reads what is left after the program has ended, and closes the pipe.
    package mutating func end(at now: Instant) -> [String] {
        var lines: [String] = []
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
            var rest = ActionLimits.lateOutput
            while rest > 0 {
                let count = pipe.readOnce(into: buffer)
                if count == 0 { break }
                add(buffer.prefix(count), &lines, at: now)
                rest -= count
            }
        }
        pipe.discard()
        if hasLine { finishLine(&lines, at: now) }
        if untold > 0 { tellCount(&lines, at: .never) }
        return lines
    }

    private mutating func add(
        _ bytes: Slice<UnsafeMutableRawBufferPointer>, _ lines: inout [String], at now: Instant
    ) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                finishLine(&lines, at: now)
            } else {
                hasLine = true
                if line.count < ActionLimits.errorLine { line.append(byte) }
            }
        }
    }

    private mutating func finishLine(_ lines: inout [String], at now: Instant) {
        defer { (line, hasLine) = ([], false) }
        let text = KnownSecrets.ofThisProcess.hide(String(decoding: line, as: UTF8.self))
        if text.isEmpty || text == "\r" { return }
        tellCount(&lines, at: now)
        if since == nil { since = now }
        guard told < ActionLimits.errorLines else { return untold += 1 }
        told += 1
        lines.append(text)
    }

    private mutating func tellCount(_ lines: inout [String], at now: Instant) {
        guard let since, now >= since + ActionLimits.errorLinesTime else { return }
        if untold > 0 { lines.append("(\(untold) more lines, which are not shown)") }
        (self.since, told, untold) = (nil, 0, 0)
    }
}

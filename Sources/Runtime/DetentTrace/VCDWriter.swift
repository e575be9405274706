public import DetentTypes

/// Writes a trace as VCD, change by change, in bounded memory.
///
/// The timescale is 1 ns. Changes must be in order of time: an earlier one is written at the latest
/// time so far. A value that a signal already has is not written again. Call `finish` at the end;
/// otherwise buffered changes are lost.
public struct VCDWriter<Output: TraceOutput & ~Copyable>: ~Copyable {
    /// A value of a signal.
    public enum Level: Equatable, Sendable {
        /// Not known: `x`.
        case unknown
        case bit(Bool)
        case number(Double)
        case text(String)
    }

    private var output: BufferedOutput<Output>
    // Not `let`: otherwise Swift 6.2 does not allow the initializer to call a mutating method of a
    // noncopyable value.
    private var signals: [VCDSignal]
    private var codes: [String]
    private var levels: [Level]
    private var now: UInt64 = 0

    /// Writes the declarations; every signal is unknown at 0 until it changes.
    ///
    /// - Throws: `TraceError`, also for more signals than `TraceLimits.lines`.
    public init(_ output: consuming Output, signals: [VCDSignal]) throws(TraceError) {
        self.output = BufferedOutput(output)
        self.signals = signals
        codes = signals.indices.map(VCDSignal.code)
        levels = Array(repeating: .unknown, count: signals.count)
        if signals.count > TraceLimits.lines {
            throw TraceError(
                cause: "\(signals.count) signals, more than \(TraceLimits.lines)",
                remedy: "trace fewer controls")
        }
        try writeDeclarations()
        try self.output.write("#0\n$dumpvars\n")
        for index in signals.indices { try writeLevel(index) }
        try self.output.write("$end\n")
    }

    /// Writes a change of a signal, by its index in the list given at the start.
    ///
    /// - Throws: `TraceError`, also for an index out of range and a level of another kind.
    public mutating func write(_ signal: Int, _ level: Level, at: Instant) throws(TraceError) {
        guard signals.indices.contains(signal), fits(level, signals[signal].kind) else {
            throw TraceError(
                cause: "signal \(signal) cannot be \(level)",
                remedy: "declare it at the start with this type")
        }
        if levels[signal] == level { return }
        levels[signal] = level
        try advance(to: at)
        try writeLevel(signal)
    }

    /// Writes only the time, so that the trace extends to it.
    public mutating func advance(to at: Instant) throws(TraceError) {
        if at.nanoseconds <= now { return }
        now = at.nanoseconds
        try output.write("#")
        try output.write(now)
        try output.write("\n")
    }

    /// Writes the buffered changes, for a reader that follows the file.
    public mutating func flush() throws(TraceError) { try output.flush() }

    /// Writes the buffered changes and returns the output.
    public consuming func finish() throws(TraceError) -> Output {
        try output.flush()
        return output.finished()
    }

    private func fits(_ level: Level, _ kind: VCDSignal.Kind) -> Bool {
        switch (level, kind) {
        case (.unknown, _), (.bit, .wire), (.number, .number), (.text, .text): true
        case (.bit, .number), (.bit, .text), (.number, .wire), (.number, .text), (.text, .wire),
            (.text, .number):
            false
        }
    }

    private mutating func writeDeclarations() throws(TraceError) {
        try output.write("$version Detent $end\n$timescale 1 ns $end\n")
        var scopes: [String] = []
        var members: [String: [Int]] = [:]
        for (index, signal) in signals.enumerated() {
            if members[signal.scope] == nil { scopes.append(signal.scope) }
            members[signal.scope, default: []].append(index)
        }
        for scope in scopes {
            try output.write("$scope module \(VCDSignal.reference(scope)) $end\n")
            for index in members[scope] ?? [] { try writeVariable(index) }
            try output.write("$upscope $end\n")
        }
        try output.write("$enddefinitions $end\n")
    }

    private mutating func writeVariable(_ index: Int) throws(TraceError) {
        let type =
            switch signals[index].kind {
            case .wire: "wire 1"
            case .number: "real 64"
            case .text: "string 1"
            }
        let name = VCDSignal.reference(signals[index].name)
        try output.write("$var \(type) \(codes[index]) \(name) $end\n")
    }

    private mutating func writeLevel(_ index: Int) throws(TraceError) {
        let word: String
        switch (levels[index], signals[index].kind) {
        case (.bit(let isHigh), _): word = isHigh ? "1" : "0"
        case (.number(let number), _): word = "r\(number) "
        case (.text(let text), _): word = "s" + Self.escaped(text) + " "
        case (.unknown, .number): word = "rnan "
        case (.unknown, .text): word = "s? "
        case (.unknown, .wire): word = "x"
        }
        try output.write(word)
        try output.write(codes[index])
        try output.write("\n")
    }

    /// White space would end the word, so it is escaped as in C; readers of strings decode it.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(TraceLimits.wordLength) {
            if scalar.value <= 0x20 || scalar.value == 0x7F || scalar == "\\" {
                let digits = String(scalar.value, radix: 16)
                result += scalar.value < 16 ? "\\x0\(digits)" : "\\x\(digits)"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result.isEmpty ? "\\x20" : result
    }
}

import DetentTrace
import DetentTypes

/// Captures of one format: edges are in order, and each has its line.
struct CaptureTarget: FuzzTarget {
    let format: CaptureFormat

    var words: [String] {
        switch format {
        case .csv: Self.numbers + ["t_ns,line,value\n", ",A,1\n", ",", "\n", "0", "1", "x", "z"]
        case .vcd:
            Self.numbers + [
                "$timescale ", " 1 us ", " 100 s ", " 1 fs ", "$end ", "$scope module a ",
                "$upscope ", "$var wire 1 ! A ", "$var real 64 r v ", "$enddefinitions ",
                "$dumpvars ", "$comment ", "#", "#0 ", "b1 !", "bx !", "r1 r", "x!", "1!", "0!",
            ]
        case .sigrok:
            Self.numbers + [
                "[device 1]\n", "capturefile=logic-1\n", "samplerate=1 MHz\n",
                "samplerate=0\n", "total probes=2\n", "probe1=A\n", "unitsize=1\n",
                "unitsize=8\n", "version", "metadata", "logic-1-1", "logic-1", "PK\u{1}\u{2}",
            ]
        }
    }

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        let capture: Capture
        do throws(CaptureError) {
            capture = try Capture(bytes, format: format)
        } catch {
            try BrokenPromise.unless(!error.problems.isEmpty, "refused without a problem")
            return false
        }
        var last = Instant.zero
        for edge in capture.edges {
            try BrokenPromise.unless(
                edge.at >= last && edge.at > .zero, "an edge is not in order")
            try BrokenPromise.unless(
                Int(edge.line) < capture.lines.count, "an edge has no line")
            last = edge.at
        }
        try BrokenPromise.unless(
            Set(capture.lines).count == capture.lines.count, "two lines have one name")
        try BrokenPromise.unless(
            capture.initialLevels.count == capture.lines.count, "a line has no level")
        return true
    }
}

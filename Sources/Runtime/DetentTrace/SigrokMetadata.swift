/// The description of the logic samples in a sigrok session.
struct SigrokMetadata: Equatable {
    /// Samples per second.
    private(set) var sampleRate: UInt64 = 0
    /// Bytes of one sample.
    private(set) var unitSize = 1
    /// The common prefix of the entries, such as `logic-1`.
    private(set) var captureFile = ""
    /// Names of the logic channels by their bits.
    private(set) var channels: [Int: String] = [:]

    /// Reads the file `metadata`. If there are several devices, the first with logic samples is
    /// used.
    init(_ text: String) throws(CaptureError) {
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            if line.first == "[" {
                if section.hasPrefix("device"), !captureFile.isEmpty { break }
                section = String(line.dropFirst().prefix { $0 != "]" })
                continue
            }
            guard section.hasPrefix("device"), let equals = line.firstIndex(of: "=") else {
                continue
            }
            let key = line[..<equals].trimmed
            try set(String(key), String(line[line.index(after: equals)...].trimmed))
        }
        if captureFile.isEmpty || channels.isEmpty {
            throw CaptureError(
                "the session has no logic channels", "record logic channels, not analog ones")
        }
        if sampleRate == 0 {
            throw CaptureError(
                "the session has no sample rate",
                "record with `sigrok-cli --config samplerate=1m`")
        }
        if let last = channels.keys.max(), last >= unitSize * 8 {
            throw CaptureError(
                "channel \(last + 1) does not fit into samples of \(unitSize) bytes",
                "save the session with sigrok again")
        }
    }

    private mutating func set(_ key: String, _ value: String) throws(CaptureError) {
        switch key {
        case "capturefile": captureFile = value
        case "samplerate":
            guard let rate = Self.rate(value) else {
                throw CaptureError(
                    "`\(value.prefix(40))` is not a sample rate", "write one such as `1 MHz`")
            }
            sampleRate = rate
        case "unitsize":
            guard let size = Int(value), (1...512).contains(size) else {
                throw CaptureError(
                    "`\(value.prefix(40))` is not a sample size", "write 1 to 512 bytes")
            }
            unitSize = size
        case _ where key.hasPrefix("probe"):
            guard let number = Int(key.dropFirst(5)), (1...TraceLimits.lines).contains(number)
            else { return }
            channels[number - 1] = value
        default: return
        }
    }

    /// `1 MHz`, `12.5 kHz`, `1000000`: whole samples per second; nil if invalid.
    static func rate(_ text: String) -> UInt64? {
        let number = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
        let decimals: Int? =
            switch text[number.endIndex...].trimmed {
            case "", "Hz": 0
            case "kHz": 3
            case "MHz": 6
            case "GHz": 9
            default: nil
            }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard let decimals, let whole = parts.first, parts.count <= 2 else { return nil }
        var fraction = parts.dropFirst().first ?? ""
        while fraction.last == "0" { fraction = fraction.dropLast() }
        if fraction.count > decimals { return nil }
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return UInt64(whole + fraction + zeros)
    }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmed: Substring {
        var result = drop { $0 == " " || $0 == "\t" }
        while let last = result.last, last == " " || last == "\t" { result.removeLast() }
        return result
    }
}

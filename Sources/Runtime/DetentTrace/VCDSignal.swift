/// One signal of a trace in VCD.
public struct VCDSignal: Equatable, Sendable {
    /// The type of its values.
    public enum Kind: Equatable, Sendable {
        /// One bit: a line, a contact, a lamp.
        case wire
        /// A number, written as a real. sigrok 0.5 ignores reals, but stops reading without a
        /// message at a vector of bits, so vectors are not written.
        case number
        /// A word; GTKWave and Surfer show it, sigrok ignores it.
        case text
    }

    /// The scope, such as the id of a control; signals of one scope are written together.
    public var scope: String
    /// The name of the wire in the file.
    public var name: String
    /// The type of its values.
    public var kind: Kind

    /// Makes a signal; spaces in names become `_`, because the format does not allow them.
    public init(scope: String, name: String, kind: Kind) {
        self.scope = scope
        self.name = name
        self.kind = kind
    }

    /// The short code of signal `index` in the dump: `!`, `%` … `~`, `!!` …
    ///
    /// No code begins with a character that begins a change, because sigrok ignores a word of a
    /// `text` signal but then reads the code after it as a change.
    static func code(_ index: Int) -> String {
        var rest = index
        var code: [UInt8] = []
        repeat {
            code.append(codeAlphabet[rest % codeAlphabet.count])
            rest = rest / codeAlphabet.count - 1
        } while rest >= 0
        return String(decoding: code, as: UTF8.self)
    }

    private static let codeAlphabet = Array("!%&()*+,./:;<=>?@[]^_{|}~".utf8)

    /// A valid VCD name: no white space, not empty, no `$` at its start.
    static func reference(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isBlank = scalar.value <= 0x20 || scalar.value == 0x7F
            scalars.append(isBlank ? "_" : scalar)
        }
        if scalars.isEmpty { return "_" }
        return scalars.first == "$" ? "_" + String(scalars) : String(scalars)
    }
}

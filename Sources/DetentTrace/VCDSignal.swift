/// One signal of a trace in VCD.
public struct VCDSignal: Equatable, Sendable {
    /// What it carries.
    public enum Kind: Equatable, Sendable {
        /// One bit: a line, a contact, a lamp.
        case wire
        /// A number, written as a real; sigrok 0.5 passes it over. It would end its reading
        /// without a word at a vector of bits, hence none are written.
        case number
        /// A word; GTKWave and Surfer show it, sigrok passes it over.
        case text
    }

    /// What it belongs to, such as a control's id; signals of one scope stand together.
    public var scope: String
    /// The name of the wire in the file.
    public var name: String
    /// What its values are.
    public var kind: Kind

    /// Names a signal; blanks in names become `_`, as the format has none.
    public init(scope: String, name: String, kind: Kind) {
        self.scope = scope
        self.name = name
        self.kind = kind
    }

    /// The short code that stands for signal `index` in the dump: `!`, `%` … `~`, `!!` …
    ///
    /// No code begins with a character that begins a change, because sigrok passes over a word of
    /// a `text` signal but then takes the code behind it for a change.
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

    /// A name as VCD can hold it: no white space, not empty, no `$` at its beginning.
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

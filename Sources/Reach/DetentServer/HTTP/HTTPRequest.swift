/// A request, independent of the transport.
struct HTTPRequest: Sendable {
    var method: String
    /// The path, percent-decoded, without the query.
    var path: String
    var query: [String: String]
    /// Names in lower case; several values in their order.
    private var headers: [String: [String]] = [:]
    var body: [UInt8] = []

    /// Makes a request from its first line and headers; nil if the target is invalid.
    init?(method: String, target: String, headers: some Sequence<(String, String)>) {
        guard target.hasPrefix("/") else { return nil }
        let (place, items) = Self.divided(target[...], at: "?")
        guard let path = Self.resolved(place) else { return nil }
        var query: [String: String] = [:]
        for item in items.split(separator: "&") {
            let (name, value) = Self.divided(item, at: "=")
            guard let name = Self.resolved(name), let value = Self.resolved(value) else {
                return nil
            }
            query[name] = value
        }
        self.method = method
        self.path = path
        self.query = query
        for (name, value) in headers { self.headers[name.lowercased(), default: []].append(value) }
    }

    /// All values of a header.
    func values(_ name: String) -> [String] { headers[name] ?? [] }

    /// The value of a header that may appear once.
    func value(_ name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values.first : nil
    }

    /// Whether a list header contains a word with a weight above zero.
    func lists(_ word: String, in name: String) -> Bool {
        values(name).contains { value in
            HeaderList.items(value).contains { $0.word == word && !$0.isRefused }
        }
    }

    /// The text before and after a separator; the second part is empty if there is no separator.
    private static func divided(_ text: Substring, at sign: Character) -> (Substring, Substring) {
        guard let place = text.firstIndex(of: sign) else { return (text, "") }
        return (text[..<place], text[text.index(after: place)...])
    }

    /// Decodes percent-encoding; nil if an escape is invalid or the text is not UTF-8.
    private static func resolved(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

/// A response.
struct HTTPResponse: Equatable, Sendable {
    var status: Int
    var type = "application/json"
    var body: [UInt8] = []
    /// In addition to the common headers.
    var headers: [(String, String)] = []

    init(_ status: Int, type: String, _ body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    /// A response with text.
    init(_ status: Int, type: String, text: String) {
        self.init(status, type: type, Array(text.utf8))
    }

    static func == (left: HTTPResponse, right: HTTPResponse) -> Bool {
        left.status == right.status && left.type == right.type && left.body == right.body
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}

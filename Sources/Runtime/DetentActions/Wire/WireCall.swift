import DetentTypes

/// What an action or a source of feedback sends over a wire, with its secrets.
struct WireCall: Equatable {
    var place: WirePlace
    var bytes: [UInt8]
    var expectation: WireExpectation?

    init(place: WirePlace, bytes: [UInt8]) {
        self.place = place
        self.bytes = bytes
    }

    /// Why nothing can be sent.
    struct Refusal: Error {
        var explanation: String
    }

    /// Reads the keys; secrets are read now, so that a new one needs no restart.
    init(
        _ kind: ActionKindID, _ fields: [ActionField], secret: SecretSource = .system
    ) throws(Refusal) {
        guard let place = WirePlace(kind, fields) else {
            throw Refusal(explanation: "this runner sends text to devices only")
        }
        self.place = place
        if case .keys = place {
            bytes = []
            return
        }
        expectation = WireExpectation(fields)
        if let hex = fields.text("hex") {
            guard let bytes = Self.bytes(ofHex: hex) else {
                throw Refusal(explanation: "`hex` is not a row of bytes: \(hex)")
            }
            self.bytes = bytes
            return
        }
        var filling = SecretFilling(source: secret)
        do throws(SecretError) {
            bytes = Array(try filling.fill(fields.text("text") ?? "").utf8)
        } catch {
            throw Refusal(explanation: "\(error.cause); \(error.remedy)")
        }
        guard bytes.count <= ActionLimits.wireText else {
            throw Refusal(explanation: "the text has more than \(ActionLimits.wireText) bytes")
        }
    }

    /// The bytes of pairs of digits, with or without spaces between the pairs; nil for other text.
    static func bytes(ofHex text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for word in text.split(separator: " ") {
            var rest = word[...]
            while !rest.isEmpty {
                guard rest.count >= 2, rest.utf8.first != UInt8(ascii: "+"),
                    let byte = UInt8(rest.prefix(2), radix: 16)
                else { return nil }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            }
        }
        return bytes
    }
}

/// The beginning of each message, and the whole of most: twelve bytes, low byte first.
///
/// Each message uses the fields that it needs; the others are 0.
struct MessageRow: Equatable {
    var tag: MessageTag
    var origin: UInt8
    var control: UInt16
    var value: Int32
    var request: UInt32

    static var byteCount: Int { 12 }

    init(
        _ tag: MessageTag, origin: UInt8 = 0, control: UInt16 = 0, value: Int32 = 0,
        request: UInt32 = 0
    ) {
        self.tag = tag
        self.origin = origin
        self.control = control
        self.value = value
        self.request = request
    }

    /// The row in bytes.
    var bytes: [UInt8] {
        var bytes = [tag.rawValue, origin]
        MessageBytes.add(control, to: &bytes)
        MessageBytes.add(value, to: &bytes)
        MessageBytes.add(request, to: &bytes)
        return bytes
    }

    /// Reads the row of a message; nil if the message is shorter, its tag is unknown, or bytes
    /// follow where none may.
    init?(_ message: ArraySlice<UInt8>) {
        var rest = MessageBytes(message)
        guard let tag = rest.number(UInt8.self).flatMap(MessageTag.init),
            let origin = rest.number(UInt8.self), let control = rest.number(UInt16.self),
            let value = rest.number(Int32.self), let request = rest.number(UInt32.self),
            rest.isEmpty || tag.hasBody
        else { return nil }
        self.init(tag, origin: origin, control: control, value: value, request: request)
    }

    /// The value as a truth: 0 or 1, and nothing else.
    var truth: Bool? {
        switch value {
        case 0: false
        case 1: true
        case _: nil
        }
    }
}

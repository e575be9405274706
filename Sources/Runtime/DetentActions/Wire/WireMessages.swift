/// What the panel asks the process of a wire for: to send, and to wait for an answer.
package struct WireOrder: Equatable {
    /// The number by which it is answered.
    package var number: UInt32
    package var bytes: [UInt8]
    /// nil if no answer is waited for.
    package var expectation: WireExpectation?

    package init(_ number: UInt32, _ bytes: [UInt8], _ expectation: WireExpectation? = nil) {
        self.number = number
        self.bytes = bytes
        self.expectation = expectation
    }

    /// Most bytes of a message; a longer one is none.
    static let longest = 3 * ActionLimits.wireText + 16

    /// The message: number, form of the answer, the texts around its value, and what to send.
    var message: [UInt8] {
        var message = Wire32.bytes(number)
        let form: UInt8 = expectation.map { $0.hasValue ? 2 : 1 } ?? 0
        message.append(form)
        for part in [expectation?.before ?? [], expectation?.after ?? []] {
            message += Wire32.bytes(UInt32(clamping: part.count)) + part
        }
        return message + bytes
    }

    /// Reads a message; nil if it is something else.
    init?(_ message: ArraySlice<UInt8>) {
        var rest = message
        guard let number = Wire32.pop(&rest), let form = rest.popFirst(), form <= 2 else {
            return nil
        }
        var parts: [[UInt8]] = []
        while parts.count < 2 {
            guard let count = Wire32.pop(&rest), count <= rest.count else { return nil }
            parts.append(Array(rest.prefix(Int(count))))
            rest = rest.dropFirst(Int(count))
        }
        self.number = number
        expectation =
            form == 0 ? nil : WireExpectation(before: parts[0], after: form == 2 ? parts[1] : nil)
        bytes = Array(rest)
    }
}

/// What the process of a wire says to the panel.
package enum WireNote: Equatable {
    /// The names of hosts are found: addresses, with spaces between them.
    case found([UInt8])
    /// The device can be spoken to.
    case open
    /// An order was sent.
    case sent(UInt32)
    /// The device has answered an order: the part of the line that fits.
    case answered(UInt32, [UInt8])
    /// As many bytes as are looked at have come, and none fits.
    case unfit(UInt32)
    /// A line that is no answer.
    case report([UInt8])
    /// The wire is gone, and the process ends: why. `isRefused` if nothing has arrived there.
    case ended([UInt8], isRefused: Bool)

    /// Most bytes of a message; a longer one is none.
    static let longest = ActionLimits.reportLine + 8

    /// The message: a letter, and what belongs to it.
    package var message: [UInt8] {
        switch self {
        case .found(let text): [0x66] + text
        case .open: [0x6F]
        case .sent(let number): [0x73] + Wire32.bytes(number)
        case .answered(let number, let bytes): [0x61] + Wire32.bytes(number) + bytes
        case .unfit(let number): [0x75] + Wire32.bytes(number)
        case .report(let line): [0x72] + line
        case .ended(let text, let isRefused): [0x65, isRefused ? 1 : 0] + text
        }
    }

    /// Reads a message; nil if it is something else.
    init?(_ message: ArraySlice<UInt8>) {
        var rest = message
        switch rest.popFirst() {
        case 0x66: self = .found(Array(rest))
        case 0x6F where rest.isEmpty: self = .open
        case 0x73:
            guard let number = Wire32.pop(&rest), rest.isEmpty else { return nil }
            self = .sent(number)
        case 0x61:
            guard let number = Wire32.pop(&rest), rest.count <= ActionLimits.wireAnswer else {
                return nil
            }
            self = .answered(number, Array(rest))
        case 0x75:
            guard let number = Wire32.pop(&rest), rest.isEmpty else { return nil }
            self = .unfit(number)
        case 0x72: self = .report(Array(rest))
        case 0x65:
            guard let isRefused = rest.popFirst(), isRefused <= 1 else { return nil }
            self = .ended(Array(rest), isRefused: isRefused == 1)
        case .none, .some: return nil
        }
    }
}

/// Numbers in messages, low byte first.
private enum Wire32 {
    static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    static func pop(_ bytes: inout ArraySlice<UInt8>) -> UInt32? {
        guard bytes.count >= 4 else { return nil }
        defer { bytes = bytes.dropFirst(4) }
        return bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

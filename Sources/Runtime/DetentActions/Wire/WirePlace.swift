public import DetentTypes

/// Where a device speaks lines of text: one wire, which all actions and sources of it share.
public enum WirePlace: Hashable, Sendable {
    /// A connection to a port.
    case tcp(String)
    /// Datagrams to a port, and those that come back from there.
    case udp(String)
    /// Datagrams that arrive at an address of this machine.
    case hearing(String)
    /// A serial device.
    case serial(SerialTerms)
    /// Keys of this machine.
    case keys(KeyPad)

    /// Reads the keys of an action or of a source of feedback; nil if they have no place.
    public init?(_ kind: ActionKindID, _ fields: [ActionField]) {
        switch kind {
        case .tcp: self = .tcp(fields.text("to") ?? "")
        case .udp:
            self = fields.text("to").map { .udp($0) } ?? .hearing(fields.text("listen") ?? "")
        case .serial: self = .serial(SerialTerms(fields))
        case .key:
            guard let pad = KeyPad(fields) else { return nil }
            self = .keys(pad)
        case _: return nil
        }
        if text.isEmpty { return nil }
    }

    /// As it is written in the panel file.
    public var text: String {
        switch self {
        case .tcp(let place), .udp(let place), .hearing(let place): place
        case .serial(let terms): terms.device
        case .keys: KeyPad.path
        }
    }

    /// Whether it is open even while nothing is sent: programs look for keys when they start.
    var isKept: Bool {
        switch self {
        case .keys: true
        case .tcp, .udp, .hearing, .serial: false
        }
    }

    /// Whether what is meant for another place can go here.
    func serves(_ other: WirePlace) -> Bool {
        guard case .keys(let all) = self, case .keys(let some) = other else { return self == other }
        return some.isPart(of: all)
    }

    /// Whether what arrives is cut into datagrams, which end a line.
    var isDatagram: Bool {
        switch self {
        case .udp, .hearing: true
        case .tcp, .serial, .keys: false
        }
    }
}

/// A serial device, and the terms of its line.
public struct SerialTerms: Hashable, Sendable {
    /// The parity bit of each byte.
    public enum Parity: String, Sendable {
        case none, even, odd
    }

    /// The path of the device.
    public var device: String
    /// Bits in a second.
    public var baud: Int
    /// The bit that is added to each byte to find faults.
    public var parity: Parity
    /// 7 or 8.
    public var dataBits: Int
    /// 1 or 2.
    public var stopBits: Int

    /// The usual terms where the fields say no others: 9600 baud, 8 bits, no parity, 1 stop bit.
    init(_ fields: [ActionField]) {
        func number(_ name: String, default value: Int) -> Int {
            if case .integer(let number)? = fields[name] { number } else { value }
        }
        device = fields.text("device") ?? ""
        baud = number("baud", default: 9_600)
        parity = fields.text("parity").flatMap(Parity.init) ?? .none
        dataBits = number("data-bits", default: 8)
        stopBits = number("stop-bits", default: 1)
    }
}

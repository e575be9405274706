public import DetentHAL

/// A chip that the panel file names in `chips`.
public struct ChipPlan: Equatable, Sendable {
    /// Its name: its lines are `NAME.0`, `NAME.1` and so on.
    public var name: String
    /// Its label, or its parent device.
    public var device: String
    /// Its model; nil if the file does not say it, and the label does not either.
    public var model: ChipModel?
    /// The resistor of its contacts that have no `bias` of their own.
    public var bias = Defaults.bias
    /// Whether its interrupt output is connected to a line.
    public var hasInterrupt = false
    /// The number of that line on the chip of the board; nil where it is not known.
    public var interruptOffset: UInt32?

    /// Its model and its place.
    package var summary: String { (model.map { "\($0.name) at " } ?? "") + device }

    /// The numbers of its lines; none where the model is not known.
    package var lines: Range<UInt32> { 0..<(model?.lines ?? 0) }

    /// The I2C bus and address, as in `1-0020`; nil for other places.
    var placeOnBus: (bus: String, address: UInt16)? {
        guard let dash = device.firstIndex(of: "-") else { return nil }
        let bus = device[..<dash]
        let digits = device[device.index(after: dash)...]
        guard !bus.isEmpty, bus.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.utf8.count == 4, let address = UInt16(digits, radix: 16)
        else { return nil }
        return (String(bus), address)
    }

    /// The line for config.txt of a Raspberry Pi; nil where the system has no overlay for it.
    package var overlayLine: String? {
        guard let place = placeOnBus, place.bus == "1" else { return nil }
        if hasInterrupt, interruptOffset == nil { return nil }
        return model?.overlayLine(address: place.address, interrupt: interruptOffset)
    }

    /// The name of a chip and the number of its line in a text such as `left.3`; nil for others.
    package static func parts(of text: String) -> (chip: String, line: UInt32)? {
        guard let point = text.firstIndex(of: "."), point != text.startIndex else { return nil }
        let number = text[text.index(after: point)...]
        guard let line = UInt32(number), String(line) == number else { return nil }
        return (String(text[..<point]), line)
    }

    /// Whether this can be the name of a chip: names are ids.
    static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
        }
    }
}

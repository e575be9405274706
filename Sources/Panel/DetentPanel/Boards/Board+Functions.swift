import DetentTypes

extension BoardPin {
    /// The functions that other software may use the pin for, such as `uart0` for UART0_TX: those
    /// of its header's convention first.
    var functionNames: [String] {
        ([bus].compactMap { $0 } + functions).compactMap { BoardPin.function(of: $0) }
    }

    /// The function that other software may use the pin for by the convention of its header.
    var defaultFunction: String? { bus.flatMap { BoardPin.function(of: $0) } }

    /// `SPI0_CE1` belongs to `spi0`; nil for a text that is not a signal of a numbered function.
    private static func function(of signal: String) -> String? {
        let word = signal.prefix { $0 != "_" }.lowercased()
        return word.contains { $0.isNumber } && word.contains { $0.isLetter } ? word : nil
    }

    /// Whether the pin's own warning is about a function: `UART TXD: serial console` is about
    /// `uart0`, but that of an EEPROM is not about a bus.
    func warns(about function: String) -> Bool {
        let number = function.reversed().prefix { $0.isNumber }.count
        let family = function.dropLast(number).uppercased()
        return warning?.uppercased().contains(family) ?? false
    }
}

extension Board {
    /// The functions of its pins, in alphabetical order.
    public var functionNames: [String] {
        Set(pins.flatMap(\.pin.functionNames)).sorted()
    }
}

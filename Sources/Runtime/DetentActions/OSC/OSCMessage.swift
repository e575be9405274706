import DetentTypes

/// A message of Open Sound Control 1.0: an address and typed arguments, in one datagram.
struct OSCMessage: Equatable {
    /// An argument with its type.
    enum Argument: Equatable {
        case integer(Int32)
        case float(Float)
        case string(String)
        case boolean(Bool)
    }

    /// The address, such as `/ch/01/mix/on`.
    var address: String
    var arguments: [Argument]

    /// Reads arguments as they are written; nil if one is not of its type.
    ///
    /// - Parameter types: a letter for each argument: `i`, `f`, `s`, or `T` for a boolean. nil
    ///   reads whole numbers, numbers with a point, `true` and `false`, and texts as what they are.
    init?(address: String, arguments texts: [String], types: String?) {
        self.address = address
        arguments = []
        if let types, types.count != texts.count { return nil }
        var letters = (types ?? "")[...]
        for text in texts {
            guard let argument = Self.argument(text, letters.popFirst()) else { return nil }
            arguments.append(argument)
        }
    }

    private static func argument(_ text: String, _ type: Character?) -> Argument? {
        switch type {
        case "i": Int32(text).map { .integer($0) }
        case "f": number(text).map { .float($0) }
        case "s": .string(text)
        case "T": boolean(text).map { .boolean($0) }
        case nil:
            if let whole = Int32(text) {
                .integer(whole)
            } else if text.contains("."), let number = number(text) {
                .float(number)
            } else if text == "true" || text == "false" {
                .boolean(text == "true")
            } else {
                .string(text)
            }
        case .some: nil
        }
    }

    private static func number(_ text: String) -> Float? {
        guard let number = Float(text), number.isFinite else { return nil }
        return number
    }

    /// The words of switches mean something here, unlike without a type: there they may be names.
    private static func boolean(_ text: String) -> Bool? {
        switch text {
        case "true", "on", "1": true
        case "false", "off", "0": false
        case _: nil
        }
    }

    /// The datagram: address, type letters and arguments, each filled up to four bytes.
    var bytes: [UInt8] {
        var bytes = Self.padded(address)
        var letters = ","
        var values: [UInt8] = []
        for argument in arguments {
            switch argument {
            case .integer(let number):
                letters += "i"
                values += Self.bigEndian(UInt32(bitPattern: number))
            case .float(let number):
                letters += "f"
                values += Self.bigEndian(number.bitPattern)
            case .string(let text):
                letters += "s"
                values += Self.padded(text)
            case .boolean(let isTrue):
                letters += isTrue ? "T" : "F"
            }
        }
        bytes += Self.padded(letters)
        return bytes + values
    }

    private static func padded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

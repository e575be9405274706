import DetentCore
public import DetentTypes

/// The value of one control that is kept across a restart.
public struct SavedValue: Equatable, Sendable, BitwiseCopyable {
    /// The control.
    public var control: ControlID
    /// Its value.
    public var value: Value

    /// Makes a saved value.
    public init(control: ControlID, value: Value) {
        self.control = control
        self.value = value
    }
}

/// The file that keeps the values of a panel: a line for each control, and a checksum of all lines
/// before it, which detects a truncated or edited file.
///
///     detent-state 1
///     panel: Lab Supply
///     output: on
///     range: 20 V
///     sum: 6f0c2b9a51d3e847
///
/// Controls and values have names, not indices: the file stays valid when its panel changes.
public enum SavedFile {
    /// The content of a file.
    public struct Reading: Equatable, Sendable {
        /// The values that are valid for the panel's controls, in the order of the file.
        public var values: [SavedValue] = []
        /// Messages about values that are not valid any more.
        public var notes: [String] = []

        /// Starts without values.
        public init() {}

        /// Takes the value of one control, in words; any words are safe.
        public mutating func add(_ id: String, _ word: String, of plan: PanelPlan) {
            // The control was removed from the panel.
            guard let control = plan.control(named: id) else { return }
            let value = plan[control].value(surviving: word)
            let isUsed = plan[control].isKept
            if isUsed, value == nil || value != plan[control].value(named: word) {
                let now = value.map { "`\(quoted(plan[control].valueNames.name(of: $0)))`" }
                notes.append(
                    "`\(quoted(word))` is no longer a value of `\(id)`: "
                        + "it starts with \(now ?? "its default")")
            }
            if let value { values.append(SavedValue(control: control, value: value)) }
        }
    }

    /// Why a whole file is refused.
    public struct Foreign: DescribedError, Equatable, Sendable {
        /// The predicate of a sentence that begins with the name of the file.
        public var cause: String
        /// Empty: the file is set aside, and the panel starts with its defaults.
        public var remedy: String { "" }
    }

    /// The largest file that is read.
    public static let byteLimit = 1_048_576

    private static let title = "detent-state 1"

    /// The name of a panel's file; it is different for panels with different names.
    public static func name(of plan: PanelPlan) -> String {
        var name = ""
        for byte in plan.name.utf8 {
            let isPlain = byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-")
            name += isPlain ? String(UnicodeScalar(byte)) : "%" + hexadecimal(UInt64(byte), 2)
        }
        // A file name has at most 255 bytes, and a suffix is added while the file is written.
        if name.utf8.count > 160 {
            let whole = FNV1a.sum(plan.name.utf8)
            name = String(name.prefix(160)) + "-" + hexadecimal(whole, 16)
        }
        return name + ".state"
    }

    /// The bytes of a file; a value is nil for a control that has none yet.
    public static func bytes(_ values: [Value?], of plan: PanelPlan) -> [UInt8] {
        var text = title + "\npanel: " + plan.name + "\n"
        for entry in words(values, of: plan) { text += entry.id + ": " + entry.word + "\n" }
        return sealed(Array(text.utf8))
    }

    /// Lines with their checksum as the last one.
    static func sealed(_ lines: [UInt8]) -> [UInt8] {
        lines + Array((proof(of: lines) + "\n").utf8)
    }

    private static func proof(of lines: some Sequence<UInt8>) -> String {
        "sum: " + hexadecimal(FNV1a.sum(lines), 16)
    }

    /// The values by the ids of their controls, in words that can be read again.
    public static func words(
        _ values: [Value?], of plan: PanelPlan
    ) -> [(id: String, word: String)] {
        zip(plan.controls, values).compactMap { control, value in
            guard let value else { return nil }
            return control.savedWord(of: value).map { (control.id, $0) }
        }
    }

    /// Reads a file; any bytes are safe.
    ///
    /// - Throws: `Foreign` if the file belongs to another panel, or is damaged.
    public static func read(
        _ bytes: [UInt8], of plan: PanelPlan
    ) throws(Foreign) -> Reading {
        var lines = try lines(bytes)[...]
        guard lines.popFirst() == title else {
            throw Foreign(cause: "does not begin with `\(title)`")
        }
        guard lines.popFirst() == "panel: " + plan.name else {
            throw Foreign(cause: "belongs to a panel other than `\(plan.name)`")
        }
        var reading = Reading()
        for line in lines { try parse(line, of: plan, &reading) }
        return reading
    }

    /// The lines without the last one, which is the checksum.
    private static func lines(_ bytes: [UInt8]) throws(Foreign) -> [String] {
        guard bytes.last == UInt8(ascii: "\n"),
            let end = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n"))
        else { throw Foreign(cause: bytes.isEmpty ? "is empty" : "does not end with a checksum") }
        let proof = String(decoding: bytes[(end + 1)...].dropLast(), as: UTF8.self)
        guard proof == self.proof(of: bytes[...end]) else {
            throw Foreign(cause: "does not match its checksum: it was truncated or edited")
        }
        return String(decoding: bytes[..<end], as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func parse(
        _ line: String, of plan: PanelPlan, _ reading: inout Reading
    ) throws(Foreign) {
        guard let separator = line.firstRange(of: ": ") else {
            throw Foreign(cause: "contains an invalid line: `\(quoted(line))`")
        }
        reading.add(
            String(line[..<separator.lowerBound]), String(line[separator.upperBound...]), of: plan)
    }

    private static func hexadecimal(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension ControlPlan {
    /// The value that a word names, if it is valid for the control.
    public func value(named word: String) -> Value? {
        valueNames.value(named: word).flatMap { isInRange($0) ? $0 : nil }
    }

    /// The value that a device or a remote caller means, as `ValueNames.value(nearest:)`, if it is
    /// valid for the control.
    public func value(nearest word: String) -> Value? {
        valueNames.value(nearest: word).flatMap { isInRange($0) ? $0 : nil }
    }

    /// What is left of a value of an earlier file: the nearest number of the range, and those of
    /// several options that there still are.
    func value(surviving word: String) -> Value? {
        if let range = settings.nature.range, let value = valueNames.value(nearest: word) {
            return range.nearest(to: value)
        }
        if let value = value(named: word) { return value }
        guard case .several(let names) = valueNames,
            case .array(let items)? = try? JSONReader.read(Array(word.utf8))
        else { return nil }
        return valueNames.value(ofNames: items.filter { $0.text.map(names.contains) ?? false })
    }

    /// The word that means a value again when it is read, also with other options; nil for one that
    /// the control does not have.
    package func savedWord(of value: Value) -> String? {
        let word: String
        switch valueNames {
        case .several: word = valueNames.json(value).line
        case .none, .onOff, .threeWay, .options, .number, .commands:
            word = valueNames.name(of: value)
        }
        return self.value(named: word) == value ? word : nil
    }

    func isInRange(_ value: Value) -> Bool {
        settings.nature.range?.contains(value) ?? true
    }

    /// Whether the value of the control is used after a restart.
    public var isKept: Bool {
        guard valueNames != .none else { return false }
        switch settings.startup.rule {
        case .saved, .device: return true
        case .value: return false
        case .panel:
            // A selector can be between two contacts, and a converter unplugged; a lever always
            // has a position.
            switch settings.decoder {
            case .selector, .analog: return true
            case .none, .button, .lever, .encoder, .buttonRow: return false
            }
        }
    }
}

import DetentActions
import DetentCore
import DetentPanel
import DetentTypes

/// Reads the output of a query.
enum QueryAnswer {
    /// The value named by the first line, without surrounding spaces.
    ///
    /// - Parameter feedback: knows more words of the device.
    static func read(
        _ bytes: [UInt8], of control: ControlPlan, _ feedback: FeedbackPlan? = nil
    ) -> ActionAnswer {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? wholeLength(bytes) else {
            return .unreadable(
                "its first line has more than \(ActionLimits.answer) bytes; "
                    + wanted(control, feedback))
        }
        let line = bytes[..<end]
        let word = String(decoding: trimmed(line), as: UTF8.self)
        if word.isEmpty {
            return .unreadable("it printed no value; \(wanted(control, feedback))")
        }
        guard let value = value(of: word, control, feedback) else {
            return .unreadable("it printed `\(shown(word))`; \(wanted(control, feedback))")
        }
        return .value(value)
    }

    /// The value at a place of a JSON text: a text, a number, or true and false for on and off.
    static func read(
        _ bytes: [UInt8], at pointer: String, of control: ControlPlan,
        _ feedback: FeedbackPlan? = nil
    ) -> ActionAnswer {
        found(bytes, at: pointer, of: control, feedback)
            ?? .unreadable("its answer has nothing at `\(pointer)`")
    }

    /// As `read`; nil if there is nothing at the place.
    private static func found(
        _ bytes: [UInt8], at pointer: String, of control: ControlPlan, _ feedback: FeedbackPlan?
    ) -> ActionAnswer? {
        let answer: JSONValue
        do {
            answer = try JSONReader.read(bytes)
        } catch {
            return .unreadable("its answer is not JSON: \(error.cause), at byte \(error.offset)")
        }
        guard let found = answer.value(at: pointer) else { return nil }
        guard let word = found.word else {
            return .unreadable("`\(pointer)` of its answer is not a text, a number, true or false")
        }
        // A device that says true may call something else than on so.
        let literal = found == .bool(true) ? "true" : found == .bool(false) ? "false" : word
        guard
            let value = value(of: literal, control, feedback) ?? value(of: word, control, feedback)
        else {
            return .unreadable("it answered `\(shown(word))`; \(wanted(control, feedback))")
        }
        return .value(value)
    }

    /// The value that a report of a device means; nil if the report is about something else: it
    /// has nothing at the pointer, or is blank. A message without any byte is how a broker forgets
    /// what it kept, so it is no value.
    static func read(
        _ bytes: [UInt8], as feedback: FeedbackPlan, of control: ControlPlan
    ) -> ActionAnswer? {
        if bytes.isEmpty, feedback.source.topic != nil {
            return .unreadable("its message is empty: there is nothing to report any more")
        }
        guard !trimmed(bytes[...]).isEmpty else { return nil }
        var report = bytes
        if case .wire(_, let fields) = feedback.source {
            if let expected = WireExpectation(fields) {
                guard let value = expected.value(in: bytes) else { return nil }
                report = value
            }
            // A line that is no JSON is a row of words.
            if let pointer = feedback.pointer, !isJSON(report) {
                guard let word = word(of: report, at: pointer) else { return nil }
                return read(word, of: control, feedback)
            }
        }
        guard let pointer = feedback.pointer else { return read(report, of: control, feedback) }
        return found(report, at: pointer, of: control, feedback)
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
            ?? false
    }

    /// The word at a place such as `/1`, counted from 0; nil if there is none.
    private static func word(of line: [UInt8], at pointer: String) -> [UInt8]? {
        let words = line.split { $0 <= 0x20 }
        guard let place = Int(pointer.dropFirst()), words.indices.contains(place) else {
            return nil
        }
        return Array(words[place])
    }

    private static func value(
        of word: String, _ control: ControlPlan, _ feedback: FeedbackPlan?
    ) -> Value? {
        guard let feedback else { return control.value(ofDevice: word) }
        return feedback.value(of: word, for: control)
    }

    /// The length of an output without a line feed; nil if the output may continue.
    private static func wholeLength(_ bytes: [UInt8]) -> Int? {
        bytes.count < ActionLimits.answer ? bytes.count : nil
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let last = line.lastIndex(where: { !isBlank($0) }) else { return [] }
        return line[...last].drop(while: isBlank)
    }

    private static func wanted(_ control: ControlPlan, _ feedback: FeedbackPlan?) -> String {
        let others = feedback?.words.map(\.text) ?? []
        return "it must answer with "
            + ([control.deviceChoices] + others).joined(separator: ", ")
    }

    /// A text from outside, made safe for one line of a log. Secrets are hidden before it is cut.
    private static func shown(_ word: String) -> String {
        let excerpt = KnownSecrets.ofThisProcess.excerpt(word, letters: 60)
        return String(excerpt.unicodeScalars.map { $0.value < 32 ? "?" : Character($0) })
    }
}

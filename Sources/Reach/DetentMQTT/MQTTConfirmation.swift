import DetentActions
import DetentTypes

/// What an attempt waits for whose device confirms it: that the broker has taken the message, and
/// that the device says the value.
struct MQTTConfirmation {
    private let topic: String
    private let command: ActionCommand
    /// The broker has taken the message.
    private(set) var isTaken = false
    /// The device has said the value. Another word takes nothing back: it may be of something else.
    private var isSaid = false
    private var last: [UInt8]?

    /// Makes it for a request; nil if no device confirms it.
    init?(of request: ActionRequest) {
        guard case .fields(let fields) = request.payload, let command = request.command,
            let topic = fields.text("confirm.topic")
        else { return nil }
        self.topic = topic
        self.command = command
    }

    /// The broker has taken the message.
    ///
    /// - Returns: whether the device has still to say the value.
    mutating func mustWait() -> Bool {
        isTaken = true
        return !isSaid
    }

    /// A device has said something.
    ///
    /// - Returns: whether the attempt is over. What the device says before the broker has taken the
    ///   message counts too: the acknowledgement may come later than the answer.
    mutating func hear(
        _ report: [UInt8], on topic: String, _ confirms: (ActionCommand, [UInt8]) -> Bool
    ) -> Bool {
        guard topic == self.topic else { return false }
        last = report
        isSaid = isSaid || confirms(command, report)
        return isSaid && isTaken
    }

    /// Why there was no end, for the log; nil while the broker has not taken the message.
    var missing: String? {
        guard isTaken else { return nil }
        guard let last else { return "the broker has the message, and `\(topic)` said nothing" }
        let text = String(decoding: last.prefix(60), as: UTF8.self).unicodeScalars.map {
            $0.value < 32 || $0.value == 127 ? "?" : Character($0)
        }
        return "the broker has the message, and `\(topic)` said `\(String(text))`"
    }
}

extension TimeSpan {
    /// Its seconds, rounded up.
    var wholeSeconds: UInt32 {
        UInt32(clamping: (nanoseconds + 999_999_999) / 1_000_000_000)
    }
}

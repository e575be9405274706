import DetentActions
import DetentServer
import DetentTypes

/// Messages of actions that were sent before, ready to be sent again by the loop.
struct BrokerLetters {
    /// The frame of one message, in memory of its own, so that to address it allocates nothing.
    final class Letter {
        private let bytes: UnsafeMutableRawBufferPointer

        fileprivate init(_ frame: [UInt8]) {
            bytes = .allocate(byteCount: frame.count, alignment: 1)
            bytes.copyBytes(from: frame)
        }

        deinit {
            bytes.deallocate()
        }

        /// The frame for an attempt; valid until the next call.
        func addressed(to run: RunID) -> UnsafeRawBufferPointer {
            bytes.storeBytes(
                of: run.number.littleEndian,
                toByteOffset: ErrandWay.headBytes + BrokerOrder.numberOffset, as: UInt32.self)
            return UnsafeRawBufferPointer(bytes)
        }
    }

    private var letters = CommandMemory<Letter>(limit: MQTTLimits.letters)

    var count: Int { letters.count }

    /// The message that a command asks for; nil if it was not sent before.
    subscript(command: ActionCommand) -> Letter? { letters[command] }

    /// Remembers a message that was sent for a command.
    mutating func learn(_ message: BrokerPublication, for command: ActionCommand) {
        guard self[command] == nil else { return }
        let frame = ErrandWay.frame(BrokerOrder.publish(message).bytes)
        guard frame.count <= MQTTLimits.letterBytes else { return }
        letters.learn(Letter(frame), for: command)
    }

    /// Forgets everything: another panel runs.
    mutating func forget() { letters.forget() }
}

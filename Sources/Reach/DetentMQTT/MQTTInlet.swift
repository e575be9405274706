import DetentRuntime
import DetentTypes
import DetentWall

/// The way between the work of a connection and its panel; updates and requests have the port.
protocol MQTTInlet: AnyObject {
    /// Readable when `take` has something to do.
    var descriptor: Int32 { get }

    /// Whether words wait for room. The work then also waits until it can `flush`.
    var isFull: Bool { get }

    /// Takes what waits, and never waits itself. The updates of the panel are in the channel of its
    /// port then.
    ///
    /// - Parameters:
    ///   - order: carries out an order of the panel, before the next one is looked at.
    ///   - confirm: takes the token with which a request has to be sent again.
    /// - Returns: false if the panel has ended.
    func receive(
        _ order: (MQTTRequest) -> Void, confirm: (RequestID, ConfirmTokens.Token) -> Void
    ) -> Bool

    /// Tells the panel something. Without room it is told later, in its order.
    func post(_ word: MQTTNote)

    /// Passes on words that wait, as far as there is room.
    func flush()
}

/// The link between the process of a connection and its panel.
///
/// Synchronization: none; one thread.
final class MQTTLink: MQTTInlet {
    private let port: ChildPort
    private let link: ChildLink
    private var buffer = ChildPort.messageBuffer

    /// - Parameter port: the port at this end of the link.
    init(_ port: ChildPort, _ link: ChildLink) {
        self.port = port
        self.link = link
    }

    var descriptor: Int32 { link.descriptor }
    var isFull: Bool { link.waitingCount > 0 }

    func receive(
        _ order: (MQTTRequest) -> Void, confirm: (RequestID, ConfirmTokens.Token) -> Void
    ) -> Bool {
        // A panel that has taken so few words is stuck, and starts another process.
        link.waitingCount <= MQTTLimits.waitingWords
            && link.waitingBytes <= MQTTLimits.waitingWordBytes
            && port.takeWaiting(into: &buffer) { message in
                switch message {
                case .order(let asked): order(asked)
                case .token(let request, let token): confirm(request, token)
                // This thread does the work: the answer shows that it does not hang.
                case .ping(let number): link.post(ChildMessage.alive(number, isBusy: false).bytes)
                case .updates, .dropped, .served, .reloaded, .figures: break
                }
            }
    }

    func post(_ word: MQTTNote) { link.post(word.bytes) }
    func flush() { link.flush() }
}

/// A request that was sent before, ready to be sent again by the loop.
///
/// It has no secret, and to send it twice is the same as once.
final class HTTPLetter: Sendable {
    let call: HTTPCall
    let plain: PlainRequest

    /// Makes one of a request; nil if the loop cannot send it.
    init?(_ call: HTTPCall, _ plain: PlainRequest) {
        guard call.secrets.isEmpty, plain.route.isRepeatable,
            plain.bytes.count <= ActionLimits.httpLetterBytes
        else { return nil }
        self.call = call
        self.plain = plain
    }
}

/// A message to a broker.
struct MQTTMessage: Equatable, Sendable {
    var topic: String
    var text: String
    /// The broker keeps it and sends it to those that subscribe later.
    var isRetained = false
    /// It may be lost.
    var isFleeting = false
}

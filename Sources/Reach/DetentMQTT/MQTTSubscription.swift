/// Something that a panel wants to hear from its broker.
struct MQTTSubscription: Equatable, Sendable {
    var filter: String
    /// Also messages that the broker has stored.
    var wantsRetained = false
    /// Also messages of the panel itself.
    var hearsOwn = true
}

/// What the connection to a broker tells of the panel's program.
struct MQTTFacts: Sendable {
    /// Detent's version.
    var version: String
    /// The address of the page; nil without one.
    var page: String? = nil
    /// Topics that the panel file had before, without the present one.
    var formerTopics: [String] = []
    /// Counts the connections of a panel, so that no answer reaches the next one.
    var generation: UInt32 = 0
}

/// The messages that a WebSocket takes, by their `type`.
enum ClientMessage: String, CaseIterable {
    case set, fire, trace, resync
    case lampTest = "lamp-test"
    case close, reload, ping, gesture, clock, simulate, token

    /// The role that it needs.
    var role: AccessRole {
        switch self {
        case .token, .ping, .trace: .view
        case .set, .fire, .resync, .lampTest, .close, .gesture, .clock, .simulate: .operate
        case .reload: .configure
        }
    }
}

/// What a message is. Both directions share one space of tags, so that no message is taken for
/// another.
enum MessageTag: UInt8, CaseIterable {
    // What a process asks its panel for.
    case begin = 1
    case watch, snapshot, trace, intent, change, fire, resync, lampTest, reload, close
    // What the connection to a broker tells its panel.
    case up, down, ended, heard, lost
    /// Also what the panel tells its gateway.
    case figures
    // What a panel tells a process.
    case updates, dropped, served, reloaded, publish, cancel
    /// A panel asks a process whether it is alive, and the process answers.
    case ping, alive
    /// A panel wants a request to be confirmed.
    case token

    /// Whether bytes follow the row.
    var hasBody: Bool {
        switch self {
        case .trace, .intent, .change, .fire, .heard, .figures, .updates, .reloaded, .publish,
            .token:
            true
        case .begin, .watch, .snapshot, .resync, .lampTest, .reload, .close, .up, .down,
            .ended, .lost, .dropped, .served, .cancel, .ping, .alive:
            false
        }
    }
}

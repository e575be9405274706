/// A kind of action that leaves the core, by its key in panel files.
public struct ActionKindID: Hashable, Sendable {
    /// The key, such as `run`.
    public let word: String

    /// Takes the key.
    public init(_ word: String) {
        self.word = word
    }

    /// Programs.
    public static let run = ActionKindID("run")
    /// Requests to web services.
    public static let http = ActionKindID("http")
    /// Messages of Open Sound Control.
    public static let osc = ActionKindID("osc")
    /// Text over a connection.
    public static let tcp = ActionKindID("tcp")
    /// Text in datagrams.
    public static let udp = ActionKindID("udp")
    /// Text over a serial wire.
    public static let serial = ActionKindID("serial")
    /// Messages through the broker of the panel.
    public static let mqtt = ActionKindID("mqtt")
}

public import DetentTypes

/// The MQTT broker of a panel, from `mqtt:`.
public struct BrokerPlan: Equatable, Sendable {
    /// What the broker may do with the panel.
    public enum Role: String, Equatable, Sendable, CaseIterable {
        /// Everything that the page can do.
        case operate
        /// The panel publishes only; it subscribes to no command.
        case view
    }

    /// The host name or the IP address.
    public var host: String
    /// The port.
    public var port: UInt16
    /// Whether the connection uses TLS.
    public var isSecure: Bool
    /// The user; it can contain references to secrets, which are not replaced yet.
    public var user: String?
    /// The password: references to secrets, which are not replaced yet.
    public var password: String?
    /// The name of the connection at the broker; nil for one that is made from the topic.
    public var clientID: String?
    /// What all topics of the panel begin with, without a slash at its end.
    public var topic: String
    /// What the broker may do.
    public var role: Role
    /// What the topics of Home Assistant's discovery begin with; nil to announce nothing.
    public var discovery: String?
    /// A file or a folder of certificates that are trusted; nil for those of the system.
    public var authority: String?
    /// The file of the client's certificate.
    public var certificate: String?
    /// The file of the client's private key.
    public var key: String?
    /// How often the connection is tested while it is idle, in whole seconds.
    public var keepAlive: TimeSpan

    /// Makes the plan of a broker without user and certificates.
    public init(host: String, port: UInt16, isSecure: Bool = false, topic: String) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
        self.topic = topic
        role = .operate
        keepAlive = Defaults.keepAlive
    }

    /// The plan of an address such as `mqtt://host` or `mqtts://host:port`; nil if it is something
    /// else. Nothing is looked up.
    public init?(url: String, topic: String) {
        guard let address = BrokerAddress(url) else { return nil }
        self.init(
            host: address.place.host, port: address.place.port, isSecure: address.isSecure,
            topic: topic)
    }

    /// The folder or the file of the certificates that are trusted if the file names none.
    public static var systemAuthority: String { "/etc/ssl/certs" }

    /// The name of the connection at the broker.
    public var clientName: String { clientID ?? name(slash: "-") }

    /// The topic as a name of letters, digits, `-` and `_`, such as `detent-lab-supply`. A topic
    /// that is not of this form is followed by a number made from all of it: different topics have
    /// different names, and so has what follows the name and one `_`.
    ///
    /// - Parameter slash: what a `/` becomes. Two of them stand before the number.
    package func name(slash: Character) -> String {
        let defaultPrefix = "detent/"
        let hasDefaultPrefix = topic.hasPrefix(defaultPrefix)
        let isPlain = { (letter: Character) in
            letter.isASCII && (letter.isLetter || letter.isNumber || letter == "-" || letter == "_")
        }
        let text = String(
            topic.map { $0 == "/" ? slash : isPlain($0) ? $0 : "-" })
        let rest = topic.dropFirst(hasDefaultPrefix ? defaultPrefix.count : 0)
        let isWhole =
            rest.allSatisfy(isPlain) && !text.contains("\(slash)\(slash)")
            && (slash != "_" || !rest.contains("_"))
            && (hasDefaultPrefix || topic != "detent" && !topic.hasPrefix("detent\(slash)"))
        return isWhole ? text : "\(text)\(slash)\(slash)\(Self.number(topic))"
    }

    /// A number of seven letters and digits for a text.
    private static func number(_ text: String) -> String {
        String(FNV1a.sum(text.utf8) >> 32, radix: 36)
    }

    /// Whether messages can be sent to a topic: without wildcards, spaces, control characters and
    /// `$`, which begins the topics of brokers themselves.
    public static func isTopic(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= Limits.topicBytes
            && text.unicodeScalars.allSatisfy {
                $0.value > 0x20 && !(0x7F...0x9F).contains($0.value)
                    && !"+#$".unicodeScalars.contains($0)
            }
    }

    /// Whether a topic is one of this panel.
    public func owns(_ other: String) -> Bool { other.hasPrefix(topic + "/") }

    /// What the topics of a panel begin with if its file does not say it.
    public static func defaultTopic(of panel: String) -> String { "detent/" + level(of: panel) }

    /// A text as a level of a topic: lower-case letters, digits, `_` and `-`.
    ///
    /// What has no place in it would be lost, and two panels could have one topic: `Кухня` and
    /// `Гараж`, `Pump +` and `Pump`. A number made from the whole name follows then, behind two
    /// hyphens, which no other level has. Only letter case, blanks and hyphens make no difference.
    public static func level(of name: String) -> String {
        var level = ""
        var isComplete = true
        for byte in name.lowercased().utf8 {
            if byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_") {
                level.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            isComplete = isComplete && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-"))
            if !level.isEmpty, level.last != "-" { level += "-" }
        }
        while level.last == "-" { level.removeLast() }
        isComplete = isComplete && !level.isEmpty && level.utf8.count <= Limits.idCharacters
        if level.isEmpty { level = "panel" }
        let number = isComplete ? "" : "--" + Self.number(name.lowercased())
        return level.prefix(Limits.idCharacters - number.utf8.count) + number
    }
}

/// The address of a broker: `mqtt://host`, `mqtts://host:port`.
struct BrokerAddress: Equatable {
    var place: HostAndPort
    var isSecure: Bool

    /// Reads an address; nil if it is something else. Nothing is looked up.
    init?(_ text: String) {
        let schemes = [("mqtt://", false, 1883), ("mqtts://", true, 8883)]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0.0) }) else {
            return nil
        }
        var rest = text.dropFirst(scheme.0.count)
        if rest.last == "/" { rest = rest.dropLast() }
        guard
            let place = HostAndPort(String(rest)) ?? HostAndPort("\(rest):\(scheme.2)")
        else { return nil }
        self.place = place
        isSecure = scheme.1
    }
}

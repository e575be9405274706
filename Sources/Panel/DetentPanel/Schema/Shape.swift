import DetentTypes
import Glibc

/// What a value of the panel file looks like.
///
/// A union has at most one list, at most one map, and any number of texts. So the form of a value
/// decides which shape it is checked against.
indirect enum Shape: Sendable {
    /// Any text that is not empty.
    case text
    /// One of these words.
    case words([String])
    case boolean
    case integer(ClosedRange<Int>)
    case decimal
    case duration(ClosedRange<TimeSpan>)
    /// A number with its unit, such as `5mA`.
    case measure(Measure, ClosedRange<Int>)
    /// The name of a line, `pin 11`, or a map of the section `line`.
    case line
    /// A program and its arguments.
    case arguments
    /// An address of the network.
    case address(AddressForm)
    /// A text that may have several lines, and may be empty.
    case body
    /// A text that may have several lines, and into which words are put as they are.
    case raw
    /// A text of a device with at most one `{value}`; a call carries what is before and after it.
    case expectation
    /// A map from names to texts.
    case texts(ClosedRange<Int>)
    case list(Shape, ClosedRange<Int>)
    case section(Section)
    /// One action, or a map of actions by value.
    case actions
    /// A map from options to lines, or a list of lines in the order of the options.
    case linesByOption
    /// A map from ids of controls to the values that they are set to.
    case valuesByControl
    /// A map from words of a device to values of the control.
    case valuesByWord(ClosedRange<Int>)
    /// A map from values of the control to words of a device.
    case wordsByValue(ClosedRange<Int>)
    /// A map from ids to controls; those of a group can have their kind by default.
    case controls(inGroup: Bool)
    /// A map of keys of controls of this kind, or of any kind.
    case defaults(kind: String?)
    /// A map from names to maps of a section.
    case named(Section, ClosedRange<Int>)
    case anyOf([Shape])

    /// The forms that a value may have, in words.
    var summary: String {
        switch self {
        case .text: "text"
        case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .boolean: "`true` or `false`"
        case .integer(let range): "whole number, \(range.lowerBound) to \(range.upperBound)"
        case .decimal: "number"
        case .duration(let range):
            "time, \(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        case .measure(let it, let range):
            "\(it.quantity), \(range.lowerBound)\(it.unit) to \(range.upperBound)\(it.unit)"
        case .line: "line"
        case .arguments: "list of arguments"
        case .address(let form): form.summary
        case .body: "text, of one or more lines"
        case .raw: "text, of one or more lines"
        case .expectation: "text with at most one `{value}`"
        case .texts(let range):
            "map of \(range.lowerBound) to \(range.upperBound) names and texts"
        case .list(let item, let range):
            "list of \(range.lowerBound) to \(range.upperBound) items: \(item.summary)"
        case .section(let section): "map, see [\(section.title)](#\(section.anchor))"
        case .actions:
            "map, see [\(Section.action.title)](#\(Section.action.anchor)), or a map with one such "
                + "map for each value"
        case .linesByOption: "map from options to lines, or a list of a line for each option"
        case .valuesByControl:
            "map from controls to values; see [\(Section.change.title)](#\(Section.change.anchor))"
        case .valuesByWord(let range):
            "map from \(range.lowerBound) to \(range.upperBound) words to values"
        case .wordsByValue(let range):
            "map from \(range.lowerBound) to \(range.upperBound) values to words"
        case .controls: "map from ids to controls"
        case .defaults: "map, of keys of a [control](#\(Section.control.anchor))"
        case .named(let section, let range):
            "map from \(range.lowerBound) to \(range.upperBound) names to maps, see "
                + "[\(section.title)](#\(section.anchor))"
        case .anyOf(let shapes): shapes.map(\.summary).joined(separator: "; or ")
        }
    }

    /// The shapes of a union, or the shape itself.
    var alternatives: [Shape] {
        guard case .anyOf(let shapes) = self else { return [self] }
        return shapes
    }
}

/// A form of address.
struct AddressForm: Sendable {
    /// The form in words.
    let summary: String
    /// The form as a regular expression of JSON schemas.
    let pattern: String
    /// What an address of this form is the address of.
    let thing: String
    let example: String
    /// What to write, for people.
    var advice = "it without spaces"
    /// Where a user name and a password are written, after the address without them.
    var accountAdvice =
        "`headers: {Authorization: \"Basic ${file:/etc/key}\"}`; the file has "
        + "`name:password` in Base64"
    /// What was probably meant by a text of another form.
    var nearest: @Sendable (String) -> String? = { _ in nil }
    /// What words have to obey that are put into it.
    var language = TextTemplate.Language.plain
    /// Whether a text has this form.
    let fits: @Sendable (String) -> Bool

    /// Of a web service; it begins with `http://` or `https://`.
    static let web = AddressForm(
        summary: "address with `http://` or `https://`", pattern: "^https?://",
        thing: "the address of a web service", example: "http://192.168.1.20/power",
        language: .address
    ) { text in
        let scheme = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
        let host = text.dropFirst(scheme?.count ?? 0).prefix { !"/?#".contains($0) }
        return scheme != nil && !host.isEmpty && !text.contains(where: \.isWhitespace)
    }
    /// A host and a port.
    static let datagram = AddressForm(
        summary: "host and port", pattern: ":[0-9]+$", thing: "a host with a port",
        example: "192.168.1.30:10023", advice: "the host, a colon and the port, 1 to 65535",
        nearest: { text in
            guard let scheme = text.firstRange(of: "://") else { return nil }
            let rest = String(text[scheme.upperBound...].prefix { $0 != "/" })
            return HostAndPort(rest) == nil ? nil : rest
        }
    ) { HostAndPort($0) != nil }
    /// Where this machine listens: an IP address and a port.
    static let place = AddressForm(
        summary: "IP address and port", pattern: ":[0-9]+$",
        thing: "an IP address with a port", example: "127.0.0.1:9000",
        advice: "the address and the port without spaces"
    ) { text in
        var room = in6_addr()
        return HostAndPort(text).map {
            inet_pton(AF_INET, $0.host, &room) == 1 || inet_pton(AF_INET6, $0.host, &room) == 1
        } == true
    }
    /// Of a message of Open Sound Control; it begins with `/`.
    static let message = AddressForm(
        summary: "address that begins with `/`", pattern: "^/",
        thing: "the address of a message", example: "/ch/01/mix/on"
    ) { text in
        // The characters that are not patterns; placeholders are words of these.
        text.hasPrefix("/")
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"#*,?[]".utf8.contains($0) }
    }
    /// Of a broker; it begins with `mqtt://` or `mqtts://`.
    static let broker = AddressForm(
        summary: "address with `mqtt://` or `mqtts://`", pattern: "^mqtts?://",
        thing: "the address of a broker", example: "mqtt://192.168.1.10:1883",
        accountAdvice: "`user: NAME`; the password is written as `password`"
    ) { BrokerAddress($0) != nil }
    /// A topic of a broker, without wildcards.
    static let topic = AddressForm(
        summary: "topic without `+`, `#` and `$`", pattern: "^[^+#$]+$",
        thing: "a topic", example: "home/lamp/set",
        advice: "the name of one topic, without `+`, `#` and `$`"
    ) { BrokerPlan.isTopic($0) }
}

/// Lines of text to devices nearby: over TCP, UDP and serial wires.
extension ActionKind {
    static let tcp = wire(
        "tcp", "TCP",
        "A text over a connection that is kept, for instruments, mills and projectors.")
    static let udp = wire("udp", "UDP", "A text in a datagram, for simulators, lights and video.")
    static let serial = wire("serial", "Serial", "A text over a serial wire.")

    private static func wire(_ word: String, _ title: String, _ summary: String) -> ActionKind {
        let section = Section.actionKind(
            title: "\(title) action",
            summary: "A text for a device nearby; done when it is sent or, with `expect`, when the "
                + "device has answered so.")
        return ActionKind(
            word, .runner, .section(section),
            summary + " `{value}`, `{previous}`, `{control}` and `{origin}` are replaced.",
            sections: [section],
            keys: WireKeys.addressKeys(section, word) + WireKeys.content(section) + [
                WireKeys.expect(
                    section,
                    "The action is done only when a line of the answer has this text. The "
                        + "part in place of `{value}` is the value of the device.")
            ],
            oneOf: ["text", "hex"]
        ) { node, log in
            for name in ["to", "device"] {
                guard let place = node[name], place.text?.contains("{") == true else { continue }
                log.error(
                    .invalidArgument, at: place.place,
                    "`\(name)` cannot have a placeholder: one connection to the device is kept",
                    help: "write an action for each value")
            }
        }
    }
}

/// The keys of a place with a device nearby, for actions and for feedback.
enum WireKeys {
    /// The terms of a serial line, which are equal wherever its device is used.
    static let terms = ["baud", "parity", "data-bits", "stop-bits"]

    /// Where the device is.
    static func addressKeys(_ section: Section, _ word: String, hears: Bool = false) -> [KeySpec] {
        guard word == "serial" else {
            return [
                KeySpec(
                    section, "to", .address(.datagram), isRequired: !hears,
                    "The host and the port of the device, such as `supply.lan:5025`.")
            ]
        }
        return [
            KeySpec(
                section, "device", .address(.device), isRequired: true,
                "The path of the device. One in `/dev/serial/by-id` stays the same when the device "
                    + "is plugged in again."),
            KeySpec(
                section, "baud", .integer(50...4_000_000), default: "9600, of most devices",
                "Bits in a second."),
            KeySpec(
                section, "parity", .words(["none", "even", "odd"]), default: "no parity bit",
                "The parity bit of each byte."),
            KeySpec(
                section, "data-bits", .integer(7...8), default: "8, a whole byte",
                "Data bits of each byte."),
            KeySpec(
                section, "stop-bits", .integer(1...2), default: "1, the usual one",
                "Stop bits after each byte."),
        ]
    }

    /// What is sent.
    static func content(_ section: Section) -> [KeySpec] {
        [
            KeySpec(
                section, "text", .raw,
                "The text, such as `\"VOLT {value}\\n\"`. Nothing is appended, and words are put "
                    + "in as they are. `${env:NAME}` and `${file:PATH}` are replaced by a secret."),
            KeySpec(
                section, "hex", .address(.hex),
                "Bytes instead of a text, such as `\"02 30 03\"`; words are bytes too."),
        ]
    }

    static func expect(_ section: Section, _ summary: String) -> KeySpec {
        KeySpec(section, "expect", .expectation, summary)
    }

    /// The keys of a source of feedback.
    static func feedback(_ section: Section, _ word: String) -> [KeySpec] {
        let hearing = KeySpec(
            section, "listen", .address(.place),
            "Where datagrams arrive, instead of `to`: an address of this machine and a port. "
                + "`127.0.0.1` hears this machine only, and `0.0.0.0` all networks.")
        return addressKeys(section, word, hears: word == "udp") + (word == "udp" ? [hearing] : [])
            + content(section) + [
                KeySpec(
                    section, "every", Schema.milliseconds(100, 86_400_000),
                    default: "only when the connection is there",
                    "The time after which the text is sent again."),
                expect(
                    section,
                    "Only lines with this text are reports, and `{value}` in it is the value, such "
                        + "as `VOLT {value}`."),
            ]
    }
}

extension AddressForm {
    /// Of a serial device.
    static let device = AddressForm(
        summary: "path of a device", pattern: "^/", thing: "the path of a device",
        example: "/dev/serial/by-id/usb-FTDI_A9B5-port0", advice: "the whole path"
    ) { text in
        text.hasPrefix("/")
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    /// Bytes as pairs of hexadecimal digits.
    static let hex = AddressForm(
        summary: "bytes in pairs of hexadecimal digits", pattern: "^[0-9A-Fa-f{]",
        thing: "a row of bytes", example: "02 30 03", advice: "two digits for each byte"
    ) { text in
        // What stands for a word is tried when the words are known.
        let words = text.split(separator: " ").flatMap { word -> [Substring] in
            guard let open = word.firstIndex(of: "{"), let close = word.firstIndex(of: "}"),
                open < close
            else { return [word] }
            return [word[..<open], word[close...].dropFirst()]
        }
        let isBytes = words.allSatisfy { word in
            word.utf8.count.isMultiple(of: 2) && word.utf8.allSatisfy(\.isHexDigit)
        }
        return !text.allSatisfy(\.isWhitespace) && isBytes
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        case _: false
        }
    }
}

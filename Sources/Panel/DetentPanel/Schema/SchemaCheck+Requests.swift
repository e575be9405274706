import DetentTypes

/// Checks the texts of requests: addresses, bodies and headers.
extension SchemaCheck {
    func checkAddress(_ node: YAMLNode, _ form: AddressForm, _ name: String) {
        guard let text = node.text(log, name, limit: Limits.addressCharacters) else { return }
        if let scheme = text.firstRange(of: "://").map({ text[..<$0.upperBound] }),
            case let rest = text[scheme.endIndex...],
            let end = rest.prefix(while: { $0 != "/" && $0 != "?" }).lastIndex(of: "@")
        {
            // What is before `end` has a password, so it is not shown.
            let plain = String(scheme + rest[end...].dropFirst())
            log.error(
                .invalidArgument, at: node.place,
                "`\(quoted(name))` has a user name or a password in its address",
                help: "write `\(name): \"\(quoted(plain))\"` and \(form.accountAdvice)")
        } else if !form.fits(text) {
            log.error(
                .invalidArgument, at: node.place, "`\(quoted(text))` is not \(form.thing)",
                help: form.nearest(text).map { "did you mean `\($0)`?" }
                    ?? "write \(form.advice): `\(name): \"\(form.example)\"`")
        }
        checkSecrets(text, at: node.place)
    }

    func checkBody(_ node: YAMLNode, _ name: String) {
        guard let text = node.text(log, name, limit: Limits.argumentCharacters) else { return }
        if text.unicodeScalars.contains("\0") {
            log.error(
                .invalidArgument, at: node.place, "`\(quoted(name))` contains a NUL character",
                help: "remove it")
        }
        checkSecrets(text, at: node.place)
    }

    func checkRaw(_ node: YAMLNode, _ name: String) {
        checkBody(node, name)
        guard let text = node.text else { return }
        if text.isEmpty {
            log.error(
                .emptyText, at: node.place, "`\(quoted(name))` is empty",
                help: "write what is sent")
        }
        if let sign = ["\\n", "\\r"].first(where: text.contains) {
            let words = text.replacing("\"", with: "\\\"")
            log.warning(
                .literalEscape, at: node.place,
                "`\(sign)` is sent as a backslash and a letter",
                help: "write `\"\(quoted(words))\"`")
        }
    }

    func checkExpectation(_ node: YAMLNode, _ name: String) {
        guard let text = node.text(log, name, limit: Limits.textCharacters) else { return }
        let isLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        let second = text.firstRange(of: "{value}").map {
            text[$0.upperBound...].contains("{value}")
        }
        if text.isEmpty || !isLine || second == true {
            log.error(
                .invalidArgument, at: node.place,
                "`\(quoted(name))` is not a part of one line with at most one `{value}`",
                help: "write what the device answers, such as `ok` or `VOLT {value}`")
        }
    }

    func checkTexts(_ node: YAMLNode, _ range: ClosedRange<Int>, _ name: String) {
        let help = "write each name, a colon, and its text: `{Accept: application/json}`"
        for entry in entries(of: node, range, name, help: help) {
            if !entry.name.utf8.allSatisfy(isTokenByte) || entry.name.isEmpty {
                log.error(
                    .invalidArgument, at: entry.key.place,
                    "`\(quoted(entry.name))` is not the name of a header",
                    help: "use letters, digits and `-`, such as `X-Api-Key`")
            }
            check(entry.value, .text, entry.name)
            if let text = entry.value.text { checkSecrets(text, at: entry.value.place) }
        }
    }

    /// The characters of a token in HTTP (RFC 9110, 5.6.2) that names of headers use in practice.
    private func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private func checkSecrets(_ text: String, at place: SourcePlace) {
        for wrong in SecretReference.unreadable(in: text) {
            log.error(
                .invalidArgument, at: place, "`\(quoted(wrong))` does not name a secret",
                help: "write `${env:NAME}` for a variable, or `${file:/path}` for a file")
        }
    }
}

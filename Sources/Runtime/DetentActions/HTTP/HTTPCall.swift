import DetentTypes

/// A request to a web service, with all placeholders and secrets replaced.
struct HTTPCall: Equatable {
    /// The method, such as `PUT`.
    var method: String
    /// The address; characters that an address cannot have are percent-encoded.
    var address: String
    /// The headers in their order.
    var headers: [TextPair]
    /// The body; nil sends none.
    var body: String?
    /// The secrets in it.
    var secrets: [String]

    /// The signs of addresses (RFC 3986, 2.2 and 2.3), and those of what is encoded already.
    static let signs = "-._~:/?#[]@!$&'()*+,;=%"
    /// The keys of the panel file, and the method of each.
    private static let methods = ["get", "put", "post", "patch", "delete"]

    /// Reads the keys of an `http` action.
    ///
    /// - Throws: `SecretError` for a secret that is missing, or that does not fit where it is used.
    init?(_ fields: [ActionField], secret: SecretSource) throws(SecretError) {
        guard let key = Self.methods.first(where: { fields[$0] != nil }),
            let address = fields.text(key)
        else { return nil }
        var filling = SecretFilling(source: secret)
        method = key.uppercased()
        self.address = try filling.fill(address).percentEncoded(except: Self.signs)
        headers = []
        if case .pairs(let pairs)? = fields["headers"] {
            for pair in pairs {
                headers.append(TextPair(pair.name, try filling.fillLine(pair.text)))
            }
        }
        body = nil
        if let text = fields.text("body") { body = try filling.fill(text) }
        secrets = filling.found
    }
}

extension HTTPCall {
    /// The call of `curl` that makes the request.
    ///
    /// All of it is in the standard input: arguments can be seen by every user of the machine. The
    /// user's `.curlrc` is not read. No redirect is followed: it could lead a secret to another
    /// host.
    var program: ProgramCall {
        var call = ProgramCall(["curl", "-q", "--config", "-"])
        call.standardInput = Array(configuration.utf8)
        call.outputLimit = ActionLimits.httpAnswer
        return call
    }

    /// The text that `curl --config -` reads.
    var configuration: String {
        var lines = [
            "silent", "globoff", "disallow-username-in-url", "fail-with-body",
            "proto = \"=http,https\"",
            "write-out = \"%{stderr}%{http_code} %{errormsg}\"",
            "request = \(method)", "url = \(Self.quoted(address))",
        ]
        lines += headers.map { header in
            // Without a text, `Name:` would remove the header, and `Name;` sends it empty.
            Self.quoted(header.text.isEmpty ? "\(header.name);" : "\(header.name): \(header.text)")
        }.map { "header = \($0)" }
        if let body { lines.append("data-raw = \(Self.quoted(body))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A text in quotation marks, as the configuration of curl escapes them.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\u{0B}": result += "\\v"
            case _: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

import DetentPanel

extension HTTPResponse {
    /// A response with JSON.
    init(_ status: Int, _ json: JSONValue) {
        self.init(status, type: "application/json", text: json.line + "\n")
    }

    /// A problem document.
    init(_ refused: APIError) {
        self.init(
            refused.status, type: "application/problem+json", text: refused.json.line + "\n")
        if refused.status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
    }

    /// The headers of every response: no caching, no foreign content, no framing.
    static let commonHeaders: [(String, String)] = [
        ("Cache-Control", "no-store"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                + "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'; "
                + "trusted-types 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Referrer-Policy", "no-referrer"),
    ]
}

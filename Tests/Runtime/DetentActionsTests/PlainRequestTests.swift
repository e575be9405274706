import DetentTypes
import TestSupport
import Testing

@testable import DetentActions

/// Which requests need no `curl`, and what is sent for them.
@Suite struct PlainRequestTests {
    private func request(
        _ address: String, key: String = "get", headers: [TextPair] = [], body: String? = nil,
        environment: [String: String] = [:]
    ) throws -> PlainRequest? {
        var fields = [ActionField(key, .text(address))]
        if !headers.isEmpty { fields.append(ActionField("headers", .pairs(headers))) }
        if let body { fields.append(ActionField("body", .text(body))) }
        let call = try #require(try HTTPCall(fields, secret: .system))
        return PlainRequest(call) { environment[$0] }
    }

    @Test(
        arguments: [
            ("http://127.0.0.1/", [.four(0x7F00_0001, port: 80)]),
            ("HTTP://127.9.8.7:8080", [.four(0x7F09_0807, port: 8_080)]),
            ("http://[::1]:81/x", [.six(port: 81)]),
            ("http://LocalHost:82", [.six(port: 82), .four(0x7F00_0001, port: 82)]),
        ] as [(String, [LoopbackAddress])])
    func aServiceOnThisMachineNeedsNoOther(address: String, places: [LoopbackAddress]) throws {
        expectEqual(try request(address)?.route.places, places)
    }

    @Test(arguments: [
        "https://127.0.0.1/", "http://192.168.1.2/", "http://128.0.0.1/", "http://0.0.0.0/",
        "http://[::2]/", "http://[::ffff:127.0.0.1]/", "http://plug.lan/", "http://127.1/",
        "http://localhost.evil.example/", "http://user@127.0.0.1/", "http://127.0.0.1@evil/",
        "http://127.0.0.1:0/", "http://127.0.0.1:99999/", "http://127.0.0.1:/", "http://",
        "http:/127.0.0.1/", "ftp://127.0.0.1/", "127.0.0.1/", "http://127.0.0.1/a/../b",
        "http://127.0.0.1\\@evil/", "http://::1/", "http://127.0.0.1 /",
    ])
    func everythingElseIsForCurl(address: String) throws {
        #expect(try request(address) == nil)
    }

    @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func aProxyIsForCurl(name: String) throws {
        #expect(try request("http://127.0.0.1/", environment: [name: "http://proxy:1"]) == nil)
        #expect(try request("http://127.0.0.1/", environment: [name: ""]) != nil)
    }

    /// As `detent doctor` asks, with placeholders and without secrets.
    @Test(arguments: [
        ("http://127.0.0.1:1880/{value}/${env:NOT_SET}", false), ("http://plug.lan/{value}", true),
    ])
    func aPanelFileSaysWhetherItNeedsCurl(address: String, needsIt: Bool) {
        expectEqual(HTTPRunner.needsCurl([ActionField("put", .text(address))]), needsIt)
        #expect(HTTPRunner.needsCurl([]))
    }

    @Test(arguments: [
        "Connection", "content-length", "Expect", "Keep-Alive", "TE", "Trailer",
        "Transfer-Encoding", "Upgrade",
    ])
    func aHeaderThatChangesTheFormIsForCurl(name: String) throws {
        #expect(try request("http://127.0.0.1/", headers: [TextPair(name, "x")]) == nil)
    }

    @Test func aHeaderIsOneLine() throws {
        #expect(try request("http://127.0.0.1/", headers: [TextPair("X\r\nY", "a")]) == nil)
        #expect(try request("http://127.0.0.1/", headers: [TextPair("X", "a\tb")]) != nil)
    }

    private func text(_ request: PlainRequest?) -> String {
        String(decoding: request?.bytes ?? [], as: UTF8.self)
    }

    @Test(arguments: [
        ("http://127.0.0.1", "/", "127.0.0.1"), ("http://127.0.0.1?a=b", "/?a=b", "127.0.0.1"),
        ("http://[::1]:8080/a/b?c#d", "/a/b?c", "[::1]:8080"),
        ("http://localhost#d", "/", "localhost"), ("http://127.0.0.1/ä", "/%C3%A4", "127.0.0.1"),
    ])
    func theAddressIsSent(address: String, target: String, host: String) throws {
        expectEqual(
            text(try request(address)),
            "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: detent\r\n"
                + "Accept: */*\r\n\r\n")
    }

    @Test func aBodyHasATypeAndALength() throws {
        let sent = text(try request("http://127.0.0.1/", key: "put", body: "ä"))
        #expect(sent.contains("\r\nContent-Type: application/x-www-form-urlencoded\r\n"))
        #expect(sent.hasSuffix("\r\nContent-Length: 2\r\n\r\nä"))
        let empty = text(try request("http://127.0.0.1/", key: "post"))
        #expect(empty.contains("\r\nContent-Length: 0\r\n") && !empty.contains("Content-Type"))
        #expect(text(try request("http://127.0.0.1/", body: "")).contains("Content-Length: 0\r\n"))
    }

    /// Only what may be sent twice leaves its connection open.
    @Test(arguments: ["get", "put", "post", "patch", "delete"])
    func whatIsNotRepeatableEndsItsConnection(key: String) throws {
        let request = try #require(try request("http://127.0.0.1/", key: key))
        let isRepeatable = ["get", "put", "delete"].contains(key)
        expectEqual(request.route.isRepeatable, isRepeatable)
        #expect(text(request).contains("\r\nConnection: close\r\n") != isRepeatable)
    }

    /// What is known of an address is used only for a call that differs in its body alone.
    @Test func aKnownRouteIsThatOfTheSameCall() throws {
        var routes = PlainRoutes()
        func check(_ fields: [ActionField], environment: [String: String] = [:]) throws {
            let call = try #require(try HTTPCall(fields, secret: SecretSource { _ in "secret" }))
            let route = routes.route(of: call) { environment[$0] }
            expectEqual(route, PlainRoute(call) { environment[$0] })
        }
        let put = ActionField("put", .text("http://127.0.0.1/a"))
        let headers = ActionField("headers", .pairs([TextPair("X", "1")]))
        for body in ["on", "off", "on"] { try check([put, ActionField("body", .text(body))]) }
        try check([put])
        try check([put, headers])
        try check([ActionField("get", .text("http://127.0.0.1/a")), headers])
        try check([ActionField("get", .text("http://127.0.0.1/b"))])
        try check([ActionField("get", .text("http://plug.lan/"))])
        try check([ActionField("get", .text("http://127.0.0.1/${env:KEY}"))])
        for number in 0..<3 * ActionLimits.httpRoutes {
            try check([ActionField("get", .text("http://127.0.0.1/\(number)"))])
        }
        #expect((1...ActionLimits.httpRoutes).contains(routes.count))
        let secret = try #require(
            try HTTPCall(
                [ActionField("get", .text("http://127.0.0.1/${env:KEY}"))],
                secret: SecretSource { _ in "secret" }))
        #expect(!routes.knows(secret.address))
    }

    @Test(arguments: ["host", "User-Agent", "ACCEPT", "Content-Type"])
    func aHeaderOfThePanelReplacesOurs(name: String) throws {
        let sent = text(
            try request(
                "http://127.0.0.1/", key: "put", headers: [TextPair(name, "mine")], body: "x"))
        let lines = sent.lowercased().split(separator: "\r\n").filter {
            $0.hasPrefix(name.lowercased() + ":")
        }
        expectEqual(lines, ["\(name.lowercased()): mine"])
    }
}

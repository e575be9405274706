import TestSupport
import Testing

@testable import DetentServer

/// What a command line may ask of a server.
@Suite struct OptionsTests {
    @Test(arguments: [
        ("127.0.0.1:8433", "127.0.0.1", 8_433), ("localhost:80", "127.0.0.1", 80),
        (":9000", "127.0.0.1", 9_000), ("[::1]:8433", "::1", 8_433),
        ("127.0.0.1:0", "127.0.0.1", 0),
    ])
    func isThisMachine(_ text: String, _ address: String, _ port: Int) throws {
        let options = try ServerOptions(listen: text)
        #expect(options.address == address && options.port == port)
        #expect(!options.tokens.areRequired, "nobody else can connect")
    }

    @Test(arguments: ["8433", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x", ""])
    func isNoAddress(_ text: String) {
        #expect(throws: ServerError.self) { try ServerOptions(listen: text) }
    }

    @Test func otherMachinesNeedANameAndAToken() throws {
        #expect(throws: ServerError.self) { try ServerOptions(listen: "0.0.0.0:8433") }
        let options = try ServerOptions(listen: "0.0.0.0:8433", names: ["bench.local"])
        let token = try #require(options.newToken)
        expectEqual(options.tokens.caller(of: token)?.role, .configure)
        expectEqual(token.utf8.count, 32)
        expectEqual(options.url(8_433), "http://bench.local:8433/#k=\(token)")
    }

    @Test(arguments: ["", "*", "http://x/", "a b", "x:80", "user@x", "é"])
    func aNameIsANameAlone(_ name: String) {
        #expect(throws: ServerError.self) {
            try ServerOptions(listen: "0.0.0.0:8433", names: [name])
        }
    }

    @Test func anAddressOfSixIsAskedForInBrackets() throws {
        let options = try ServerOptions(listen: "[::]:8433", names: ["2001:DB8::1", "bench"])
        let policy = AccessPolicy(port: 8_433, names: options.names, tokens: AccessTokens())
        for (host, isAllowed) in [
            ("[2001:db8::1]:8433", true), ("[2001:db8::1]", true), ("bench:8433", true),
            ("2001:db8::1", false), ("2001:db8::1:8433", false),
        ] {
            let request = try #require(
                HTTPRequest(method: "GET", target: "/", headers: [("Host", host)]))
            expectEqual((policy.refusal(of: request, isChange: false) == nil), isAllowed, "\(host)")
        }
    }

    @Test func aTokenFileMustHoldOne() {
        for file in ["/nonexistent", "/dev/null", "view=/dev/null", "owner=/dev/null"] {
            #expect(throws: ServerError.self) {
                try ServerOptions(listen: "127.0.0.1:8433", tokenFiles: [file])
            }
        }
    }

    @Test func anAddressThatIsNoneIsSaid() throws {
        let options = try ServerOptions(listen: "127.bench:8433")
        let server = try PanelServer(port: ServedPanel(), options: options)
        #expect(throws: ServerError.self) { try server.start() }
        server.stop()
    }
}

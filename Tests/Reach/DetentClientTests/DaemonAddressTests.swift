import DetentClient
import TestSupport
import Testing

/// Addresses as people write them.
@Suite struct DaemonAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8433", "127.0.0.1", 8433), ("http://bench", "bench", 8433),
        ("bench:9000", "bench", 9000), ("http://[::1]:81/", "::1", 81), ("[::1]", "::1", 8433),
        ("::1", "::1", 8433), ("localhost/", "localhost", 8433),
    ])
    func whatNamesADaemonIsRead(text: String, host: String, port: Int) throws {
        expectEqual(try DaemonAddress(text), DaemonAddress(host: host, port: port))
    }

    @Test func theTokenOfThePagesAddressCounts() throws {
        let address = try DaemonAddress("http://bench:8433/#k=abc123")
        expectEqual(address.token, "abc123")
        expectEqual(address.description, "http://bench:8433", "a token is never shown")
    }

    @Test(arguments: [
        ("https://bench", "the scheme `https` is not supported"),
        ("http://bench:0", "`0` is not a port"), ("bench:65536", "`65536` is not a port"),
        ("bench:http", "`http` is not a port"), ("http://", "`` does not name a host"),
        ("http://bench/api", "the address of a daemon cannot have a path: `/api`"),
        ("a b", "`a b` does not name a host"), ("user@bench", "`user@bench` does not name a host"),
    ])
    func whatDoesNotIsRefusedInWords(text: String, cause: String) {
        #expect {
            try DaemonAddress(text)
        } throws: { error in
            (error as? DaemonAddress.Problem)?.cause == cause
                && (error as? DaemonAddress.Problem)?.remedy.isEmpty == false
        }
    }
}

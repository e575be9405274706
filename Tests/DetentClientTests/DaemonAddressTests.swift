import DetentClient
import Testing

/// Addresses as people write them.
@Suite struct DaemonAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8433", "127.0.0.1", 8433), ("http://bench", "bench", 8433),
        ("bench:9000", "bench", 9000), ("http://[::1]:81/", "::1", 81), ("[::1]", "::1", 8433),
        ("::1", "::1", 8433), ("localhost/", "localhost", 8433),
    ])
    func whatNamesADaemonIsRead(text: String, host: String, port: Int) throws {
        #expect(try DaemonAddress(text) == DaemonAddress(host: host, port: port))
    }

    @Test func theTokenOfThePagesAddressCounts() throws {
        let address = try DaemonAddress("http://bench:8433/#k=abc123")
        #expect(address.token == "abc123")
        #expect(address.description == "http://bench:8433", "a token is never shown")
    }

    @Test(arguments: [
        ("https://bench", "`https` is not spoken by a daemon"),
        ("http://bench:0", "`0` is no port"), ("bench:65536", "`65536` is no port"),
        ("bench:http", "`http` is no port"), ("http://", "`` names no machine"),
        ("http://bench/api", "`/api` is too much in the address of a daemon"),
        ("a b", "`a b` names no machine"), ("user@bench", "`user@bench` names no machine"),
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

import TestSupport
import Testing

@testable import DetentActions

/// What texts from outside show of secrets.
@Suite struct KnownSecretsTests {
    private func knowing(_ secrets: String...) -> KnownSecrets {
        let known = KnownSecrets()
        for secret in secrets { known.learn(secret) }
        return known
    }

    @Test(arguments: [
        ("key abcdef and abcdef", "key … and …"), ("abcdefabcdef", "……"), ("abcde", "…"),
        ("it is abc", "it is abc"), ("it is abcd", "it is …"), ("ABCDEF", "ABCDEF"),
        ("ä abcdef ö", "ä … ö"), ("", ""),
    ])
    func eachIsReplaced(text: String, shown: String) {
        expectEqual(knowing("abcdef").hide(text), shown)
    }

    @Test func withoutASecretATextStays() {
        expectEqual(knowing().hide("same"), "same")
        expectEqual(knowing("on").hide("on"), "on", "a short one would tear up every text")
        expectEqual(knowing("").hide("a"), "a")
        expectEqual(knowing().excerpt("same", letters: 2), "sa")
    }

    /// It is hidden before the text is cut, at any place.
    @Test(arguments: 0...70)
    func noBeginningIsShown(place: Int) {
        let secret = "S3cr3tT0kenABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        let text = String(repeating: "x", count: place) + secret + "yyy"
        let shown = knowing(secret).excerpt(text, letters: 60)
        #expect(!shown.contains("S"), "\(shown)")
        #expect(shown.unicodeScalars.count <= 60)
        expectEqual(shown.contains("…"), (place < 60))
    }

    @Test func aSecretIsHiddenInEachForm() {
        let known = knowing("a\"b\\c d", "first line\nsecond line")
        expectEqual(known.hide("{\"echo\": \"a\\\"b\\\\c d\"}"), "{\"echo\": \"…\"}")
        expectEqual(known.hide("GET /a%22b%5Cc%20d"), "GET /…")
        expectEqual(known.hide("only second line"), "only …")
    }

    @Test func theLongestIsHidden() {
        expectEqual(knowing("abc", "abcdef").hide("abcdefg"), "…g")
    }

    @Test func theOldestIsForgotten() {
        let known = KnownSecrets()
        for number in 0...ActionLimits.knownSecrets { known.learn("secret-\(number)!") }
        expectEqual(known.hide("secret-0!"), "secret-0!")
        expectEqual(known.hide("secret-1! secret-\(ActionLimits.knownSecrets)!"), "… …")
    }

    @Test func whatIsFilledInIsKnown() throws {
        var filling = SecretFilling(source: SecretSource { _ in "filled-in-word" })
        _ = try filling.fill("${env:A}")
        expectEqual(KnownSecrets.ofThisProcess.hide("a filled-in-word b"), "a … b")
    }
}

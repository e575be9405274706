import Glibc
import TestSupport
import Testing

@testable import DetentRuntime

/// A file of a token is read as it was written, or refused with the reason.
@Suite struct TokenFileTests {
    private final class File {
        let path: String

        init(_ text: String, mode: mode_t = 0o600) {
            var template = Array("/tmp/detent-token-XXXXXX".utf8CString)
            let file = mkstemp(&template)
            path = String(
                decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            _ = write(file, text, text.utf8.count)
            fchmod(file, mode)
            close(file)
        }

        deinit { unlink(path) }
    }

    private static let token = "0123456789abcdef"

    @Test(arguments: ["", "\n", "\r\n", "\n\n"])
    func lineEndsAfterItAreLeftOut(end: String) throws {
        let file = File(Self.token + end)
        let read = try TokenFile(file.path, least: 16)
        #expect(read.token == Self.token && read.note == nil)
    }

    @Test(arguments: [
        ("", "contains no token"), ("\n", "contains no token"),
        ("\(token)\n\(token)\n", "has more than one line"),
        ("\n\(token)", "has more than one line"), ("correct horse battery", "has a blank"),
        (" \(token)", "has a blank"), ("\(token) \n", "has a blank"),
        ("\(token)\tx", "has a blank"), ("pässwort-mit-umlaut", "is not ASCII"),
        ("\(token)\u{1}", "has a control character"), ("\(token)\"", "a quotation mark"),
        ("short", "fewer than 16"),
        (String(repeating: "a", count: RuntimeLimits.token + 1), "more than 1000"),
    ])
    func anythingElseIsRefused(text: String, why: String) {
        let file = File(text)
        let problem = #expect(throws: TokenFile.Problem.self) {
            try TokenFile(file.path, least: 16)
        }
        expectEqual(problem?.cause.hasPrefix(file.path + " "), true)
        expectEqual(problem?.cause.contains(why), true, "\(problem?.cause ?? "")")
        expectEqual(problem?.cause.contains(Self.token), false)
    }

    /// A token that anybody tries first is refused by who asks for it, with the remedy.
    @Test(arguments: ["aaaaaaaaaaaaaaaa", "0101010101010101", "abcdabcdabcdabcdabcd"])
    func aTokenThatCanBeGuessedIsRefused(text: String) throws {
        let file = File(text)
        let problem = #expect(throws: TokenFile.Problem.self) {
            try TokenFile(file.path, least: 16, different: 5)
        }
        expectEqual(problem?.cause.contains("can be guessed: fewer than 5 different"), true)
        expectEqual(problem?.remedy.contains("openssl rand -hex 16"), true)
        expectEqual(problem?.cause.contains(text), false)
        expectEqual(try TokenFile(file.path).token, text, "a client sends what it is given")
    }

    /// The bounds themselves are good.
    @Test func aTokenMayBeAsLongAndAsShortAsAllowed() throws {
        let long = String(repeating: "abcdefgh", count: RuntimeLimits.token / 8)
        expectEqual(long.count, RuntimeLimits.token)
        let (longest, file) = (File(long), File("abcdeabcdeabcdea"))
        expectEqual(try TokenFile(longest.path).token, long)
        let read = try TokenFile(file.path, least: 16, different: 5)
        expectEqual(read.token, "abcdeabcdeabcdea")
        #expect(throws: TokenFile.Problem.self) { try TokenFile(file.path, least: 17) }
        #expect(throws: TokenFile.Problem.self) {
            try TokenFile(file.path, least: 16, different: 6)
        }
        withExtendedLifetime((longest, file)) {}
    }

    @Test(
        arguments: [
            (0o600, nil), (0o640, nil), (0o400, nil), (0o644, "read"), (0o666, "changed"),
            (0o660, "changed"), (0o601, nil), (0o611, nil), (0o604, "read"), (0o602, "changed"),
        ] as [(mode_t, String?)])
    func othersThatCanUseItAreTold(mode: mode_t, deed: String?) throws {
        let file = File(Self.token, mode: mode)
        let note = try TokenFile(file.path).note
        expectEqual((note == nil), (deed == nil))
        if let deed, let note {
            #expect(note.contains("can be \(deed) by other users"))
            #expect(note.contains("chmod 600"))
        }
    }
}

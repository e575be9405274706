import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// Secrets of the environment and of files.
@Suite struct SecretTests {
    private let folder: String

    init() throws {
        var name = Array("/tmp/detent-secret-XXXXXX".utf8CString)
        let made = name.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) }
        guard made != nil else { throw NoResult() }
        folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func file(_ text: String) throws -> String {
        let path = "\(folder)/key"
        guard let file = fopen(path, "w") else { throw NoResult() }
        fputs(text, file)
        fclose(file)
        return path
    }

    private func cause(_ reference: SecretReference) -> String? {
        do throws(SecretError) {
            _ = try SecretSource.system.read(reference)
            return nil
        } catch {
            return error.cause
        }
    }

    @Test func aVariableIsRead() throws {
        let path = try #require(getenv("PATH").map { String(cString: $0) })
        expectEqual(try SecretSource.system.read(.variable("PATH")), path)
        expectEqual(
            cause(.variable("DETENT_TEST_NONE")), "the variable `DETENT_TEST_NONE` is not set")
    }

    @Test(arguments: [("abc\n", "abc"), ("abc", "abc"), ("a b\r\n\n", "a b"), ("a\nb\n", "a\nb")])
    func aFileIsReadWithoutItsLastLineFeeds(text: String, secret: String) throws {
        expectEqual(try SecretSource.system.read(.file(file(text))), secret)
        unlink("\(folder)/key")
        rmdir(folder)
    }

    @Test func whatIsNoFileOfASecretIsRefused() throws {
        expectEqual(cause(.file("/nowhere"))?.contains("No such file"), true)
        expectEqual(cause(.file("/dev/zero"))?.contains("not a regular file"), true)
        expectEqual(cause(.file(folder))?.contains("not a regular file"), true)
        let pipe = "\(folder)/pipe"
        mkfifo(pipe, 0o600)
        expectEqual(cause(.file(pipe))?.contains("not a regular file"), true)
        let limit = ActionLimits.secret
        expectEqual(cause(.file(try file("\n")))?.contains("is empty"), true)
        #expect(cause(.file(try file(String(repeating: "x", count: limit)))) == nil)
        let long = cause(.file(try file(String(repeating: "x", count: limit + 1))))
        expectEqual(long?.contains("longer than 4096 bytes"), true)
        expectEqual(long?.contains("xxx"), false)
        unlink(pipe)
        unlink("\(folder)/key")
        rmdir(folder)
    }

    @Test(arguments: [
        ("a", "a"), ("${env:A}", "[A]"), ("x${env:A}y${file:/b}z", "x[A]y[/b]z"), ("$", "$"),
        ("${", "${"), ("${env:A", "${env:A"), ("$${env:A}}", "$[A]}"), ("{value}", "{value}"),
    ])
    func referencesAreReplaced(text: String, result: String) throws {
        var filling = SecretFilling(
            source: SecretSource { reference in
                switch reference {
                case .variable(let name): "[\(name)]"
                case .file(let path): "[\(path)]"
                }
            })
        expectEqual(try filling.fill(text), result)
    }

    /// What a secret contains is not read again.
    @Test func aSecretIsNoReference() throws {
        var filling = SecretFilling(source: SecretSource { _ in "${env:B}" })
        expectEqual(try filling.fill("${env:A}"), "${env:B}")
    }

    @Test(arguments: [
        "${}", "${A}", "${env:}", "${env:A B}", "${file:}", "${file:key}", "${cmd:ls}",
        "${env:A-B}",
    ])
    func otherReferencesAreNamed(text: String) {
        expectEqual(SecretReference.unreadable(in: "x \(text) y"), [text])
    }
}

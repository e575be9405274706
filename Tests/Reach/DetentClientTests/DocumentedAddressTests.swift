import DetentClient
import Glibc
import TestSupport
import Testing

/// An address with a token that a document shows is one that the commands and the page understand.
@Suite struct DocumentedAddressTests {
    private static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    private static func text(_ path: String) -> String {
        guard let file = fopen(root + "/" + path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// README.md and all documents in docs and its folders.
    private static let documents: [String] = {
        var found = ["README.md"]
        var folders = ["docs"]
        while let folder = folders.popLast() {
            guard let directory = opendir(root + "/" + folder) else { continue }
            defer { closedir(directory) }
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name.hasSuffix(".md") { found.append(folder + "/" + name) }
                if !name.contains(".") { folders.append(folder + "/" + name) }
            }
        }
        return found.sorted()
    }()

    @Test func everyAddressWithATokenIsUnderstood() throws {
        var count = 0
        for document in Self.documents {
            let words = Self.text(document).split {
                $0.isWhitespace || "`<>()\"',;".contains($0)
            }
            for word in words where word.hasPrefix("http") && word.contains("TOKEN") {
                count += 1
                let address = try DaemonAddress(String(word.drop { $0 == "." }))
                expectEqual(address.token, "TOKEN", "\(document): \(word)")
            }
        }
        #expect(count >= 2, "docs/http.md and docs/deployment.md show one")
    }

    /// The page takes the token from the same place.
    @Test func thePageReadsTheSameKey() {
        let page = Self.text("simulator/web/core/early.js")
        #expect(page.contains("const given = new URLSearchParams(location.hash.slice(1));"))
        #expect(page.contains("const own = given.get(name);"))
        #expect(page.contains("takeToken(\"k\", \"token\")"))
    }
}

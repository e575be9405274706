import DetentPlatform
import Glibc
import Testing

/// What only the start has needed is given back.
@Suite struct MemoryTests {
    /// Pages of files that are mapped and present.
    private var filePages: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = fread(&text, 1, text.count, file)
        let words = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
        return words.count > 2 ? Int(words[2]) ?? 0 : 0
    }

    @Test func whatIsForgottenComesBackWhenNeeded() {
        let before = filePages
        Memory.forgetStart()
        let after = filePages
        #expect(before > 0 && after < before, "\(before) pages, then \(after)")
    }
}

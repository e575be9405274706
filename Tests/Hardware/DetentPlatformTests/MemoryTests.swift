import DetentPlatform
import Glibc
import Testing

/// What only the start has needed is given back.
@Suite(.serialized) struct MemoryTests {
    /// Pages of files that are present, and those of no file.
    private var filePages: Int { figure(2) }
    private var pages: Int { figure(1) - figure(2) }

    private func figure(_ place: Int) -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = fread(&text, 1, text.count, file)
        let words = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
        return words.count > place ? Int(words[place]) ?? 0 : 0
    }

    @Test func whatIsForgottenComesBackWhenNeeded() {
        let before = filePages
        Memory.giveBack()
        let after = filePages
        #expect(before > 0 && after < before, "\(before) pages, then \(after)")
    }

    /// So much that what other tests take meanwhile does not matter.
    @Test func aQueueHasItsMemoryInAdvance() {
        let places = 1 << 23
        let before = pages
        let plain = Ring<UInt64>(capacity: places)
        let untouched = pages - before
        Memory.takeQueuesInAdvance()
        let ready = Ring<UInt64>(capacity: places)
        let touched = pages - before - untouched
        #expect(untouched < 8_192, "\(untouched) pages")
        #expect(touched > 12_288, "\(touched) pages")
        #expect(plain.pop() == nil && ready.pop() == nil)
    }
}

import DetentTypes
import TestSupport
import Testing

@testable import DetentActions

/// Messages of Open Sound Control that others send.
@Suite struct OSCReportTests {
    private func message(_ address: String, _ letters: String, _ values: [UInt8]) -> [UInt8] {
        func padded(_ text: String) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0, count: 4 - text.utf8.count % 4)
        }
        return padded(address) + padded("," + letters) + values
    }

    @Test func whatDetentSendsIsRead() throws {
        let sent = try #require(
            OSCMessage(
                address: "/ch/01/mix/on", arguments: ["1", "-7", "0.75", "1.0", "on", "Küche"],
                types: "iifTTs".replacing("TT", with: "fT")))
        let report = try #require(OSCReport(sent.bytes[...]))
        expectEqual(report.address, "/ch/01/mix/on")
        expectEqual(report.words, ["1", "-7", "0.75", "1", "on", "Küche"])
    }

    @Test func numbersOfEightBytesAreRead() throws {
        let whole = withUnsafeBytes(of: Int64(-5_000_000_000).bigEndian) { Array($0) }
        let real = withUnsafeBytes(of: (2.5).bitPattern.bigEndian) { Array($0) }
        let report = try #require(OSCReport(message("/a", "hdTF", whole + real)[...]))
        expectEqual(report.words, ["-5000000000", "2.5", "on", "off"])
    }

    @Test func aMessageMayHaveNoTypes() throws {
        expectEqual(OSCReport([0x2F, 0x61, 0, 0])?.words, [])
        expectEqual(OSCReport(message("/a", "", [])[...])?.words, [])
    }

    /// What follows an argument whose length is not known has no place.
    @Test func anotherTypeEndsTheArguments() {
        let report = OSCReport(message("/a", "ibi", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2])[...])
        expectEqual(report?.words, ["1"])
    }

    @Test func whatIsCutShortHasFewerArguments() throws {
        let whole = message("/abc", "ii", [0, 0, 0, 1, 0, 0, 0, 2])
        let counts = whole.indices.map { OSCReport(whole[..<$0])?.words.count }
        let none: [Int?] = Array(repeating: nil, count: 5)
        expectEqual(counts, none + Array(repeating: 0, count: 11) + [1, 1, 1, 1])
    }

    @Test(arguments: ["#bundle", "a", ""]) func otherDatagramsAreNone(_ address: String) {
        #expect(OSCReport(message(address, "i", [0, 0, 0, 1])[...]) == nil)
    }

    @Test func aTextThatIsNoUnicodeIsNone() {
        #expect(OSCReport([0x2F, 0xFF, 0, 0]) == nil)
        expectEqual(OSCReport(message("/a", "s", [0xC3, 0x28, 0, 0])[...])?.words, [])
    }

    @Test func anyBytesAreSafe() {
        var numbers = SplitMix64(seed: 4)
        let whole = message("/abc/d", "ifsThd", Array("text\0\0\0\0abcdabcdabcdabcdabcd".utf8))
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0...numbers.below(4) {
                bytes[Int(numbers.below(UInt64(bytes.count)))] = UInt8(numbers.below(256))
            }
            let count = Int(numbers.below(UInt64(bytes.count + 1)))
            guard let report = OSCReport(bytes[..<count]) else { continue }
            #expect(report.address.hasPrefix("/") && report.words.count <= bytes.count)
        }
    }
}

import TestSupport
import Testing

@testable import DetentTrace

/// ZIP archives that lie about themselves end in a problem, and hand over no more than they claim.
@Suite struct HostileArchiveTests {
    /// What an archive's one sample file gives, and how many bytes of it were handed over.
    private func read(
        _ bytes: [UInt8], _ name: String = "a"
    ) -> (problem: String?, handedOver: Int) {
        var handedOver = 0
        do throws(CaptureError) {
            let archive = try ZIPArchive(ByteSource(bytes))
            guard let entry = archive.entries[name] else { return ("no entry", 0) }
            try archive.read(entry) { piece in handedOver += piece.count }
            return (nil, handedOver)
        } catch {
            return (error.description, handedOver)
        }
    }

    private func damaged(_ how: String) -> String {
        "error: the ZIP archive is damaged: \(how); copy the file again"
    }

    private static func builder(_ contents: [[UInt8]], isDeflated: Bool = true) -> ArchiveBuilder {
        var builder = ArchiveBuilder()
        for (name, bytes) in zip(["a", "b", "c"], contents) {
            builder.add(name, bytes, isDeflated: isDeflated)
        }
        return builder
    }

    /// The last packed byte can stand for more bytes than there is room for at that moment.
    @Test func everySizeAroundAFullPieceIsRead() {
        let step = TestLength.size(short: 13, long: 1)
        for size in stride(from: 65_536 - 300, through: 65_536 + 2_100, by: step) {
            let bytes = Self.builder([[UInt8](repeating: 0, count: size)]).finished()
            let result = read(bytes)
            #expect(result.problem == nil, "\(size) bytes")
            expectEqual(result.handedOver, size)
        }
    }

    /// A count that is too small would hide files, and one that is too large invents some.
    @Test(arguments: [
        (0, "its directory is longer than it says"), (1, "its directory is longer than it says"),
        (3, "its directory is damaged"), (65_534, "its directory is damaged"),
    ])
    func aCountThatLiesIsRefused(count: Int, how: String) {
        let builder = Self.builder([[1], [2]])
        #expect(read(builder.finished()).problem == nil)
        expectEqual(read(builder.finished(entryCount: count)).problem, damaged(how))
    }

    /// A megabyte that claims to be ten bytes is left at the first piece.
    @Test(arguments: [true, false])
    func aSizeThatLiesEndsTheReading(isDeflated: Bool) {
        var builder = Self.builder([[UInt8](repeating: 0, count: 1 << 20)], isDeflated: isDeflated)
        builder.changeTable(entry: 0, field: 24, bytes: 4, to: 10)
        let short = read(builder.finished())
        expectEqual(short.problem, damaged("an entry is longer than its header says"))
        expectEqual(short.handedOver, 0)
        builder.changeTable(entry: 0, field: 24, bytes: 4, to: 1 << 20 + 1)
        let long = read(builder.finished())
        expectEqual(long.problem, damaged("`a` does not match its checksum"))
        expectEqual(long.handedOver, 1 << 20)
    }

    @Test func aPackedSizeThatLiesIsRefused() {
        let contents = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* $0) }
        for isDeflated in [true, false] {
            var builder = Self.builder([contents], isDeflated: isDeflated)
            builder.changeTable(entry: 0, field: 20, bytes: 4, to: 1 << 30)
            let cause = "`a` extends past the end of the file"
            expectEqual(read(builder.finished()).problem, damaged(cause))
            builder.changeTable(entry: 0, field: 20, bytes: 4, to: 5)
            expectEqual(
                read(builder.finished()).problem, damaged("`a` does not match its checksum"))
        }
    }

    /// The largest number of a field means that the true one is in a record of ZIP64.
    @Test(arguments: [20, 24, 42])
    func aZIP64EntryIsCalledOne(field: Int) {
        var builder = Self.builder([[1], [2]])
        builder.changeTable(entry: 1, field: field, bytes: 4, to: 0xFFFF_FFFF)
        let expected = "error: a ZIP64 archive; split the capture into several files"
        expectEqual(read(builder.finished()).problem, expected)
        expectEqual(read(Self.builder([[1]]).finished(entryCount: 0xFFFF)).problem, expected)
        expectEqual(read(Self.builder([[1]]).finished(tableSize: 0xFFFF_FFFF)).problem, expected)
    }

    /// The table is held in memory, so its size is bounded before it is read.
    @Test func aTableOfManyMegabytesIsRefused() {
        let room = [UInt8](repeating: 0, count: TraceLimits.archiveTable + 1)
        var builder = ArchiveBuilder()
        builder.add("a", room, isDeflated: false)
        expectEqual(
            read(builder.finished(tableSize: UInt64(TraceLimits.archiveTable) + 1)).problem,
            "error: the archive's directory has 4194305 bytes, more than 4194304; "
                + "save the session with sigrok again")
    }

    /// Both entries lead to the same bytes: each is checked by its own size and checksum.
    @Test func overlappingEntriesAreBounded() {
        var builder = Self.builder([[1, 2, 3], [4, 5, 6]])
        builder.changeTable(entry: 1, field: 42, bytes: 4, to: 0)
        let bytes = builder.finished()
        #expect(read(bytes, "a").problem == nil)
        expectEqual(read(bytes, "b").problem, damaged("`b` does not match its checksum"))
    }

    @Test func oneNameTwiceIsRefused() {
        var builder = Self.builder([[1]])
        builder.add("a", [2], isDeflated: false)
        expectEqual(read(builder.finished()).problem, damaged("it contains `a` twice"))
    }

    @Test func anArchiveThatEndsEarlyIsRefusedAtEveryByte() {
        let bytes = Self.builder([[1, 2, 3], [4, 5, 6]]).finished()
        #expect(read(bytes).problem == nil)
        for count in bytes.indices {
            #expect(read(Array(bytes.prefix(count))).problem != nil, "\(count) bytes")
        }
    }
}

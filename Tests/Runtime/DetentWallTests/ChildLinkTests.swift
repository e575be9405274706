import CWall
import TestSupport
import Testing

@testable import DetentWall

/// The link between a panel and a process beside it.
@Suite struct ChildLinkTests {
    private static func pair() throws -> (ChildLink, ChildLink) {
        var ends: [Int32] = [-1, -1]
        try #require(detent_wall_pair(&ends, 1_000) == 0)
        return (ChildLink(ends[0]), ChildLink(ends[1]))
    }

    private static func received(_ link: ChildLink) -> [[UInt8]] {
        var all: [[UInt8]] = []
        var buffer = [UInt8](repeating: 0, count: 2_048)
        while case .message(let bytes) = link.receive(into: &buffer, waits: false) {
            all.append(Array(bytes))
        }
        return all
    }

    /// Both ends of a link may be full: the one that posts goes on reading, and loses nothing.
    @Test func whatFindsNoRoomWaitsInItsOrder() throws {
        let (here, there) = try Self.pair()
        let messages = (0..<2_000).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] + [1, 2, 3] }
        for message in messages { here.post(message) }
        #expect(here.waitingCount > 0)
        expectEqual(here.waitingBytes, 5 * here.waitingCount)
        var all = Self.received(there)
        // Room alone passes nothing on, and what is posted now overtakes nothing.
        here.post([9])
        while here.waitingCount > 0 {
            here.flush()
            all += Self.received(there)
        }
        expectEqual(all, messages + [[9]])
        here.post([8])
        expectEqual(Self.received(there), [[8]])
    }
}

import TestSupport
import Testing

@testable import DetentServer

/// Who goes for whom, without any socket.
@Suite struct ConnectionTableTests {
    private typealias Table = ConnectionTable

    private static func peer(_ last: UInt8) -> Table.Peer { Table.Peer(address: [10, 0, 0, last]) }

    @Test func aStrangerDisplacesTheOldestOfItsOwnAddress() {
        var table = Table()
        let other = table.accept(from: Self.peer(2)).id
        let mine = (0..<ServerLimits.strangersPerPeer).map { _ in
            table.accept(from: Self.peer(1)).id
        }
        expectEqual(table.count, ServerLimits.strangersPerPeer + 1)
        let (_, displaced) = table.accept(from: Self.peer(1))
        #expect(displaced == mine.first && displaced != other)
    }

    @Test func fromManyAddressesTheLargestCrowdGoesFirst() {
        var table = Table()
        let first = table.accept(from: Self.peer(9)).id
        var crowd: [Table.ID] = []
        for _ in 0..<ServerLimits.strangersPerPeer {
            crowd.append(table.accept(from: Self.peer(1)).id)
        }
        for _ in 0..<(ServerLimits.strangers - ServerLimits.strangersPerPeer - 1) {
            #expect(table.accept(from: Self.peer(2)).displaced == nil)
        }
        let (_, displaced) = table.accept(from: Self.peer(3))
        #expect(displaced == crowd.first && displaced != first)
        expectEqual(table.count, ServerLimits.strangers)
    }

    @Test func oneThatIsBeingAnsweredGoesLast() {
        var table = Table()
        let all = (0..<ServerLimits.strangersPerPeer).map { _ in
            table.accept(from: Self.peer(1)).id
        }
        for id in all.dropLast() { table.begin(id) }
        let next = table.accept(from: Self.peer(1))
        expectEqual(next.displaced, all.last, "it is the only idle one")
        table.finish(all[3])
        expectEqual(table.accept(from: Self.peer(1)).displaced, next.id, "idle for longer")
        table.begin(all[3])
        let busy = table.accept(from: Self.peer(1))
        table.begin(busy.id)
        expectEqual(table.accept(from: Self.peer(1)).displaced, all[0], "somebody has to go")
    }

    @Test func strangersNeverDisplaceWhoIsTrusted() {
        var table = Table()
        let trusted = (0..<ServerLimits.connections).map { _ in
            let id = table.accept(from: Self.peer(1)).id
            expectEqual(table.promote(id), .trusted)
            return id
        }
        for _ in 0..<500 {
            let displaced = table.accept(from: Self.peer(1)).displaced
            #expect(displaced.map(trusted.contains) != true)
        }
        expectEqual(table.count, ServerLimits.connections + ServerLimits.strangersPerPeer)
    }

    @Test func whoIsTrustedDisplacesTheLongestIdleOfThem() {
        var table = Table()
        let trusted = (0..<ServerLimits.connections).map { _ in
            let id = table.accept(from: Self.peer(1)).id
            table.begin(id)
            expectEqual(table.promote(id), .trusted)
            return id
        }
        let next = table.accept(from: Self.peer(1)).id
        table.begin(next)
        expectEqual(table.promote(next), .once, "all others are being answered")
        table.finish(trusted[5])
        table.finish(trusted[3])
        expectEqual(table.promote(next), .displacing(trusted[5]))
        expectEqual(table.promote(next), .trusted, "it stays so")
    }

    @Test func listenersTakeNoPlaceOfRequests() {
        var table = Table()
        for _ in 0..<ServerLimits.webSockets {
            let id = table.accept(from: Self.peer(1)).id
            _ = table.promote(id)
            table.becomeListener(id)
        }
        for _ in 0..<ServerLimits.connections {
            expectEqual(table.promote(table.accept(from: Self.peer(1)).id), .trusted)
        }
    }

    @Test func aSocketThatOwesItsTokenIsAStranger() {
        var table = Table()
        let waiting = table.accept(from: Self.peer(1)).id
        table.begin(waiting)
        table.awaitToken(waiting)
        for _ in 1..<ServerLimits.strangersPerPeer { _ = table.accept(from: Self.peer(1)) }
        expectEqual(table.accept(from: Self.peer(1)).displaced, waiting)
    }

    @Test func whatIsGoneLeavesRoom() {
        var table = Table()
        let all = (0..<ServerLimits.strangersPerPeer).map { _ in
            table.accept(from: Self.peer(1)).id
        }
        for id in all { table.remove(id) }
        table.remove(all[0])
        expectEqual(table.count, 0)
        table.begin(all[0])
        #expect(table.promote(all[0]) == .once && table.count == 0)
    }

    @Test func anAddressIsANetworkOfSixAndOneOfFour() {
        let prefix: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 1]
        let one = Table.Peer(address: prefix + [0, 0, 0, 0, 0, 0, 0, 1])
        expectEqual(one, Table.Peer(address: prefix + [9, 9, 9, 9, 9, 9, 9, 9]))
        #expect(
            one != Table.Peer(address: [0x20, 1, 0xD, 0xB8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1]))
        let mapped = [UInt8](repeating: 0, count: 10) + [255, 255, 10, 0, 0, 1]
        expectEqual(Table.Peer(address: mapped), Self.peer(1))
        #expect(Self.peer(1) != Self.peer(2))
    }
}

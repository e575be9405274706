/// Which connections are open, and which of them is closed to make room for another.
///
/// There are three kinds of places. A connection starts as a stranger. It becomes trusted with its
/// first request that carries the token, or with its first allowed request where no token is
/// asked for. It becomes a listener when it is a WebSocket that may hear events. Strangers only
/// displace strangers, so a client without the token cannot lock out one that has it.
///
/// Time does not appear here: the order of use decides. Every call looks at each connection once,
/// and there are few.
struct ConnectionTable {
    /// One connection; a later one has a higher number.
    struct ID: Hashable, Comparable {
        fileprivate var number: UInt64

        static func < (left: ID, right: ID) -> Bool { left.number < right.number }
    }

    /// Where a connection comes from: one IPv4 address, or one IPv6 network of 64 bits, since a
    /// single machine has all addresses of such a network.
    struct Peer: Hashable {
        private let bytes: [UInt8]

        /// Makes a peer of the bytes of its address, in network order.
        init(address: some Sequence<UInt8>) {
            let all = Array(address)
            let isMapped = all.count == 16 && all.starts(with: Self.mapped)
            bytes = isMapped ? Array(all.suffix(4)) : all.count == 16 ? Array(all.prefix(8)) : all
        }

        /// IPv4 within IPv6: `::ffff:0:0/96`.
        private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
    }

    /// What a request with authority may count on.
    enum Promotion: Equatable {
        /// The connection has a place for trusted ones.
        case trusted
        /// The same, and this one is to be closed for it.
        case displacing(ID)
        /// All places are in use. The request is answered, and its connection is closed then.
        case once
    }

    private enum Place { case stranger, trusted, listener }
    private enum Activity { case idle, busy }

    private struct Entry {
        let peer: Peer
        var place = Place.stranger
        var activity = Activity.idle
        /// Counts uses of all connections: a lower number was used longer ago.
        var lastUse: UInt64
    }

    private var entries: [ID: Entry] = [:]
    private var lastNumber: UInt64 = 0
    private var uses: UInt64 = 0

    /// How many connections are open.
    var count: Int { entries.count }

    /// Takes a new connection. It always gets a place.
    ///
    /// - Returns: its number, and the connection that is to be closed for it. That one is forgotten
    ///   already.
    mutating func accept(from peer: Peer) -> (id: ID, displaced: ID?) {
        lastNumber += 1
        let id = ID(number: lastNumber)
        let displaced = strangerToDisplace(for: peer)
        if let displaced { entries[displaced] = nil }
        entries[id] = Entry(peer: peer, lastUse: nextUse())
        return (id, displaced)
    }

    /// Notes that a connection is gone. Does nothing for one that was displaced.
    mutating func remove(_ id: ID) { entries[id] = nil }

    /// A request has begun.
    mutating func begin(_ id: ID) { use(id, .busy) }

    /// The answer to a request was taken.
    mutating func finish(_ id: ID) { use(id, .idle) }

    /// A connection has made a request with authority.
    mutating func promote(_ id: ID) -> Promotion {
        guard let entry = entries[id] else { return .once }
        switch entry.place {
        case .trusted, .listener: return .trusted
        case .stranger: break
        }
        let trusted = entries.filter { $0.value.place == .trusted }
        if trusted.count < ServerLimits.connections {
            entries[id]?.place = .trusted
            return .trusted
        }
        let idle = trusted.filter { $0.value.activity == .idle }
        guard let oldest = Self.longestUnused(idle) else { return .once }
        entries[oldest] = nil
        entries[id]?.place = .trusted
        return .displacing(oldest)
    }

    /// A connection has become a WebSocket that may hear events. The hub bounds how many may.
    mutating func becomeListener(_ id: ID) { entries[id]?.place = .listener }

    /// A connection has become a WebSocket whose token has still to come.
    mutating func awaitToken(_ id: ID) {
        entries[id]?.place = .stranger
        entries[id]?.activity = .idle
    }

    /// The stranger that goes for a new one: of the same peer where that has its share, of the
    /// peer with the most where all places are taken. One that is being answered goes last.
    private func strangerToDisplace(for peer: Peer) -> ID? {
        let strangers = entries.filter { $0.value.place == .stranger }
        let shares = Dictionary(grouping: strangers.values, by: \.peer).mapValues(\.count)
        var crowd = peer
        if shares[peer, default: 0] < ServerLimits.strangersPerPeer {
            guard strangers.count >= ServerLimits.strangers else { return nil }
            let most = shares.values.max() ?? 0
            // Of several peers with as many, the one whose connection was unused for longest.
            let candidates = strangers.filter { shares[$0.value.peer] == most }
            guard let oldest = Self.longestUnused(candidates), let entry = entries[oldest] else {
                return nil
            }
            crowd = entry.peer
        }
        let its = strangers.filter { $0.value.peer == crowd }
        return Self.longestUnused(its.filter { $0.value.activity == .idle })
            ?? Self.longestUnused(its)
    }

    private static func longestUnused(_ entries: [ID: Entry]) -> ID? {
        entries.min { $0.value.lastUse < $1.value.lastUse }?.key
    }

    private mutating func use(_ id: ID, _ activity: Activity) {
        let use = nextUse()
        entries[id]?.activity = activity
        entries[id]?.lastUse = use
    }

    private mutating func nextUse() -> UInt64 {
        uses += 1
        return uses
    }
}

/// The open connections, and which of them is closed to make room for a new one.
///
/// There are three classes. A connection starts as a stranger. It becomes trusted with its first
/// request that has the token, or with its first allowed request if no token is required. It
/// becomes a listener when it is a WebSocket that may receive events. Strangers only displace
/// strangers, so a client without the token cannot lock out a client that has it.
///
/// The order of use decides, not the time. Every call looks at each connection once; there are few.
struct ConnectionTable {
    /// One connection. Later connections have higher numbers.
    struct ID: Hashable, Comparable {
        fileprivate var number: UInt64

        static func < (left: ID, right: ID) -> Bool { left.number < right.number }
    }

    /// The origin of a connection: one IPv4 address, or one IPv6 network of 64 bits, because one
    /// machine can have all addresses of such a network.
    struct Peer: Hashable {
        private let bytes: [UInt8]

        /// Makes a peer from the bytes of its address, in network order.
        init(address: some Sequence<UInt8>) {
            let all = Array(address)
            let isMapped = all.count == 16 && all.starts(with: Self.mapped)
            bytes = isMapped ? Array(all.suffix(4)) : all.count == 16 ? Array(all.prefix(8)) : all
        }

        /// IPv4 within IPv6: `::ffff:0:0/96`.
        private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
    }

    /// The result of promoting a connection.
    enum Promotion: Equatable {
        /// The connection is trusted.
        case trusted
        /// The connection is trusted, and the given one must be closed.
        case displacing(ID)
        /// All places are in use. The request is answered, and then its connection is closed.
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

    /// Adds a new connection. There is always room for it.
    ///
    /// - Returns: its number, and the connection that must be closed for it, which is already
    ///   removed.
    mutating func accept(from peer: Peer) -> (id: ID, displaced: ID?) {
        lastNumber += 1
        let id = ID(number: lastNumber)
        let displaced = strangerToDisplace(for: peer)
        if let displaced { entries[displaced] = nil }
        entries[id] = Entry(peer: peer, lastUse: nextUse())
        return (id, displaced)
    }

    /// Removes a connection that has closed. Does nothing if it was displaced.
    mutating func remove(_ id: ID) { entries[id] = nil }

    /// A request has begun.
    mutating func begin(_ id: ID) { use(id, .busy) }

    /// A response was sent.
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

    /// A connection has become a WebSocket that may receive events. The hub limits their number.
    mutating func becomeListener(_ id: ID) { entries[id]?.place = .listener }

    /// A connection has become a WebSocket that has not sent its token yet.
    mutating func awaitToken(_ id: ID) {
        entries[id]?.place = .stranger
        entries[id]?.activity = .idle
    }

    /// The stranger to close for a new one: one of the same peer if that peer has its share, or one
    /// of the peer with the most if all places are taken. A connection with a pending response is
    /// closed last.
    private func strangerToDisplace(for peer: Peer) -> ID? {
        let strangers = entries.filter { $0.value.place == .stranger }
        let shares = Dictionary(grouping: strangers.values, by: \.peer).mapValues(\.count)
        var crowd = peer
        if shares[peer, default: 0] < ServerLimits.strangersPerPeer {
            guard strangers.count >= ServerLimits.strangers else { return nil }
            let most = shares.values.max() ?? 0
            // If several peers have equally many, the connection that was unused longest decides.
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

import DetentTypes
import Glibc

/// A connection to a service on this machine that waits for nothing.
struct KeptConnection: Equatable {
    var place: LoopbackAddress
    /// The owner of the value closes it.
    var descriptor: Int32

    /// Whether the service still has its end open, as far as is known here, and has said nothing.
    fileprivate var isUsable: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }
}

/// Connections whose last request was answered, for a next one soon after it: one for each place.
///
/// Synchronization: none. It has the descriptors, so use one value and no copies of it.
struct KeptConnections {
    /// A number that no other has had, and the connection.
    typealias Entry = (number: UInt64, connection: KeptConnection, until: Instant)

    /// At most `ActionLimits.keptConnections`.
    private(set) var entries: [Entry] = []
    private var lastNumber: UInt64 = 0

    /// When the next one has to be closed; `never` without any.
    var deadline: Instant { entries.reduce(.never) { min($0, $1.until) } }

    /// Keeps a connection until a moment, or closes it if there is one to its place, or too many.
    mutating func keep(_ connection: KeptConnection, until: Instant) {
        let hasOther = entries.contains { $0.connection.place == connection.place }
        guard !hasOther, entries.count < ActionLimits.keptConnections else {
            close(connection.descriptor)
            return
        }
        lastNumber += 1
        entries.append((lastNumber, connection, until))
    }

    /// Hands over a connection to one of these places; nil if there is none that can be used.
    mutating func pop(to places: [LoopbackAddress]) -> KeptConnection? {
        while let index = entries.firstIndex(where: { places.contains($0.connection.place) }) {
            let connection = entries.remove(at: index).connection
            if connection.isUsable { return connection }
            close(connection.descriptor)
        }
        return nil
    }

    /// Closes the connections to these places.
    mutating func closeAll(to places: [LoopbackAddress]) {
        closeAll { places.contains($0.connection.place) }
    }

    /// Closes what has been kept long enough.
    mutating func closeExpired(at now: Instant) {
        closeAll { $0.until <= now }
    }

    /// Closes a connection on which the service has done something; one that is in use by now is
    /// not in the list any more.
    mutating func close(number: UInt64) {
        closeAll { $0.number == number }
    }

    /// Closes the connections for which a condition holds.
    mutating func closeAll(where holds: (Entry) -> Bool = { _ in true }) {
        for entry in entries where holds(entry) { close(entry.connection.descriptor) }
        entries.removeAll(where: holds)
    }

    /// A thread that waits for the connection keeps it open until it wakes, so its end is said
    /// first.
    private func close(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
    }
}

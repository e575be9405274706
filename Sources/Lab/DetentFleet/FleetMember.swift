import DetentCore
import DetentMQTT
import DetentPanel
import DetentPlatform
import DetentTypes

/// One panel of a fleet: the simulated panel, its connection, and what of it was not told yet.
struct FleetMember {
    let panel: FleetPanel
    let connection: MQTTMember
    /// When each control changed first since it was told last; `never` if it did not.
    private var changedAt: [Instant]
    /// Counts connections, so that news of a socket that is closed reaches no other one.
    private(set) var generation: UInt32 = 0
    /// The socket that is in the set of sockets; negative if none is.
    private var socket: Int32 = -1
    private var waitsToWrite = false
    /// When the connection is looked after next.
    private(set) var careAt = Instant.never
    /// Whether the listener has seen it online.
    var isOnline = false

    init(_ panel: FleetPanel, _ connection: MQTTMember, controls: Int) {
        self.panel = panel
        self.connection = connection
        changedAt = Array(repeating: .never, count: controls)
        panel.tellAll { connection.receive($0) }
    }

    /// Lets the panel do what is due.
    mutating func run(until now: Instant) {
        let connection = connection
        panel.run(
            until: now, change: { note($0, $1) }, tell: { connection.receive($0) })
    }

    /// What the broker asks the panel for.
    mutating func ask(_ events: [Event]) {
        let connection = connection
        for event in events {
            panel.ask(event, change: { note($0, $1) }, tell: { connection.receive($0) })
        }
    }

    /// What changes without a connection is told after the next one, as a state that is told again.
    private mutating func note(_ control: ControlID, _ moment: Instant) {
        guard connection.isUp else { return }
        let place = Int(control.index)
        changedAt[place] = min(changedAt[place], moment)
    }

    /// Hands messages over.
    ///
    /// - Parameter told: what was told, and when that changed; nil for a state told again.
    mutating func send(now: Instant, _ told: (MQTTMember.Told, Instant?) -> Void) {
        let isDone = connection.send(now: now) { it in
            guard case .state(let control, _) = it else { return told(it, nil) }
            let place = Int(control.index)
            let since = changedAt[place]
            changedAt[place] = .never
            told(it, since == .never ? nil : since)
        }
        // A report that changes nothing that is told, such as that of a lamp.
        guard isDone || !connection.isUp else { return }
        for place in changedAt.indices { changedAt[place] = .never }
    }

    /// Whether it may be connected now, as far as it knows.
    func wantsToConnect(by now: Instant) -> Bool { connection.nextAttempt <= now }

    /// The connection was looked after.
    mutating func cared(at now: Instant) {
        careAt =
            connection.isWaiting
            ? now + FleetLimits.haste
            : connection.descriptor >= 0 ? now + FleetLimits.care : .never
    }

    /// Keeps the set of sockets as the connection needs it.
    ///
    /// - Parameter place: the number of this member.
    mutating func watch(_ sockets: ReadySet, place: Int) {
        let now = connection.descriptor
        let wantsWrite = connection.wantsWrite
        guard now != socket || wantsWrite != waitsToWrite else { return }
        let isNew = now != socket
        if isNew { generation &+= 1 }
        socket = now
        waitsToWrite = wantsWrite
        guard now >= 0 else { return }
        let token = UInt64(generation) << 32 | UInt64(place)
        sockets.set(now, token: token, writes: wantsWrite, isNew: isNew)
    }

    /// The socket was closed, even if the next one gets its number.
    mutating func forgetSocket() { socket = -1 }
}

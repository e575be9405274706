import DetentMQTT
import DetentPlatform
import DetentTypes
import Glibc

extension Fleet {
    /// When the phase ends at the latest.
    var phaseEnd: Instant {
        switch phase {
        case .gathering(let end), .operating(let end), .settling(let end), .leaving(let end): end
        case .over: .never
        }
    }

    /// Goes on to the next phase when it is time.
    func advance(to now: Instant) {
        switch phase {
        case .gathering(let end):
            if now >= end || report.untilOnline != nil { operate(now) }
        case .operating(let end):
            if now >= end { settle(now) }
        case .settling(let end):
            let isDone = ledger.waiting == 0 && report.events == report.eventsReceived
            if now >= end || isDone && members.allSatisfy(\.connection.isSettled) { leave(now) }
        case .leaving(let end):
            if now >= end || members.allSatisfy(\.connection.isSettled) { phase = .over }
        case .over: break
        }
    }

    /// A signal: the users leave. Another one: everything ends.
    func interrupt(_ now: Instant) {
        switch phase {
        case .gathering, .operating: settle(now)
        case .settling, .leaving, .over: phase = .over
        }
    }

    private func operate(_ now: Instant) {
        phase = .operating(until: now + options.duration)
        operatingSince = now
        processorBefore = Self.processorTime
        for place in members.indices {
            members[place].panel.beginUser(at: now)
            plan(place, now: now)
        }
    }

    private func settle(_ now: Instant) {
        update(now)
        if operatingSince != .never {
            report.processorTime = Self.processorTime - processorBefore
            report.duration = now - operatingSince
        }
        operatingSince = .never
        for member in members { member.panel.endUser() }
        phase = .settling(until: now + FleetLimits.settling)
    }

    private func leave(_ now: Instant) {
        ledger.giveUp()
        update(now)
        report.online = members.count { $0.isOnline }
        isFinal = true
        for member in members { member.connection.sayGoodbye(now: now) }
        phase = .leaving(until: now + FleetLimits.goodbye)
    }

    /// Brings the figures up to date.
    func update(_ now: Instant) {
        guard !isFinal else { return }
        if operatingSince != .never { report.duration = now - operatingSince }
        report.operations = members.reduce(0) { $0 + $1.panel.operations }
        report.changes = ledger.changes
        report.received = ledger.received
        report.lost = ledger.lost
        report.unheard = ledger.unheard
        report.duplicates = ledger.duplicates
        report.latencies = ledger.latencies
    }

    // MARK: Who is online

    /// The listener has seen a panel come or go.
    func isSeen(_ place: Int, online: Bool, now: Instant) {
        guard !isFinal, members[place].isOnline != online else { return }
        members[place].isOnline = online
        report.online += online ? 1 : -1
        guard report.online == report.panels else { return }
        if report.untilOnline == nil { report.untilOnline = now - began }
        guard let since = backSince else { return }
        backSince = nil
        report.returns[report.returns.count - 1] = now - since
    }

    /// The listener has found the broker again; the connections know what it did not see meanwhile.
    func returnOfBroker(_ now: Instant) {
        for place in members.indices { members[place].isOnline = members[place].connection.isUp }
        report.online = members.count { $0.isOnline }
        backSince = report.online == report.panels ? nil : now
        if backSince != nil { report.returns.append(nil) }
    }

    private static var processorTime: TimeSpan {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(UInt64(time.tv_sec)) + .nanoseconds(UInt64(time.tv_nsec))
    }
}

extension TimeSpan {
    /// The difference of two spans; zero where it would be negative.
    fileprivate static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: left > right ? left.nanoseconds - right.nanoseconds : 0)
    }
}

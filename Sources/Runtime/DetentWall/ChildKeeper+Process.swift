import CWall
import DetentPlatform
import DetentRuntime
import DetentTypes
import Glibc

/// Starts and ends the process.
extension ChildKeeper {
    mutating func start(now: Instant) {
        unservedSince = unservedSince ?? now
        var ends: [Int32] = [-1, -1]
        let stall = Int32(clamping: Self.milliseconds(WallLimits.stall))
        let error = detent_wall_pair(&ends, stall)
        guard error == 0 else { return wait("cannot start", error, now: now) }
        let link = ChildLink(ends[0])
        let other = ChildLink(ends[1])
        setup.generation &+= 1
        setup.settings = settings()
        let bytes = setup.bytes
        let file = detent_wall_setup(bytes, bytes.count)
        guard file >= 0 else { return wait("cannot start", file, now: now) }
        defer { close(file) }
        let process = launch(other.descriptor, socket?.descriptor ?? file, file)
        guard process > 0 else { return wait("cannot start", process, now: now) }
        state = .up(
            Running(
                process: process, link: link, since: now, heartbeat: Heartbeat(times)))
    }

    /// Starts this program anew, as the part with this word, with these variables of the panel.
    static func startProgram(
        _ word: String, _ variables: @escaping @Sendable () -> [String] = { [] }
    ) -> Launch {
        { link, socket, setup in
            var word = Array(word.utf8CString)
            var process = pid_t()
            let environment =
                SparseEnvironment.variables(and: variables()).map { strdup($0) } + [nil]
            defer { for variable in environment { free(variable) } }
            let error = detent_wall_spawn(
                &process, &word, link, socket, setup, environment)
            return error == 0 ? process : error
        }
    }

    mutating func wait(_ what: String, _ error: Int32, now: Instant) {
        let reason = String(cString: strerror(-error))
        pause("detent: \(name) \(what): \(reason)", now: now)
    }

    /// The process has ended, or is ended here for a reason.
    mutating func terminate(because reason: String?) {
        guard case .up(let running) = state else { return }
        // What it did not take, it did not take because it was dying.
        let reason = running.link.isClosed ? nil : reason
        kill(running.process, SIGKILL)
        let status = Self.reap(running.process)
        task?.ended(port.plan, isRestarted: false)
        port.updates.setWatched(false)
        port.updates.trace([])
        pacing = UpdatePacing()
        let now = MonotonicClock.now
        if now - running.since >= WallLimits.trust {
            delay = WallLimits.pause.lowerBound
        }
        let cause =
            if let reason { "\(name) was ended: " + reason } else { words(status) }
        pause("detent: \(cause)", now: now)
    }

    mutating func pause(_ text: String, now: Instant) {
        state = .down(until: now + delay)
        turnAway(now: now)
        if let text = said.take(text, at: now) {
            say("\(text); it starts again in \(Self.milliseconds(delay)) ms\n")
        }
        delay = min(delay + delay, WallLimits.pause.upperBound)
    }

    /// Closes the connections that have waited for a process for too long.
    private func turnAway(now: Instant) {
        guard let socket, let since = unservedSince, now - since >= times.unserved else { return }
        detent_wall_turn_away(socket.descriptor, Int32(WallLimits.turnedAway))
    }

    /// Lets the process end, and kills it if that takes too long.
    mutating func end() {
        guard case .up(let running) = state else { return }
        end(running)
        state = .down(until: .never)
    }

    mutating func end(_ running: Running) {
        Glibc.shutdown(running.link.descriptor, Int32(SHUT_WR))
        let deadline = MonotonicClock.now + WallLimits.grace
        var now = MonotonicClock.now
        while now < deadline {
            ready.removeAll()
            _ = ready.add(running.link.descriptor)
            _ = ready.wait(now: now, until: deadline)
            if running.link.receive(into: &buffer, waits: false) == .ended { break }
            now = MonotonicClock.now
        }
        kill(running.process, SIGKILL)
        let status = Self.reap(running.process)
        task?.ended(port.plan, isRestarted: true)
        if status != 0, status & 0x7f != SIGKILL { say("detent: \(words(status))\n") }
    }

    static func milliseconds(_ span: TimeSpan) -> UInt64 { span.nanoseconds / 1_000_000 }

    static func reap(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    func words(_ status: Int32) -> String {
        let signal = status & 0x7f
        return signal == 0
            ? "\(name) ended with exit code \(status >> 8 & 0xff)"
            : "signal \(signal) (\(String(cString: strsignal(signal)))) ended \(name)"
                + (signal == SIGABRT ? task?.abortCause ?? "" : "")
    }
}

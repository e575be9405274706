import ArgumentParser
import DetentClient
import DetentCommand
import DetentPlatform
import DetentTypes
import Glibc
import Synchronization

/// `detent watch`: the state of a running panel, live.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Watch a running panel in a terminal.",
        discussion: """
            Example:  detent watch --url http://127.0.0.1:8433

            In a terminal, shows every control live; press q or Ctrl-C to quit.
            Otherwise, or with --lines, prints one line for each change of a control;
            with --events, prints the panel's events. Reconnects after a lost connection.
            Exit codes: 0 ended by a signal or a closed output, 4 cannot reach the daemon.
            """)

    @Flag(help: "Print plain lines even in a terminal.")
    var lines = false

    @Flag(help: "Print the panel's events, one JSON object per line.")
    var events = false

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        let signals = try SignalInbox()
        let client = try remote.client()
        // Check that a daemon answers before the screen is cleared.
        _ = try client.ask("GET", "/api/v1/panel", for: .panel)
        let watch = try PanelMonitor(client: client)
        try watch.begin()
        // A dumb terminal, such as the shell of an editor, knows no escape sequences.
        let isDumb = getenv("TERM").map { String(cString: $0) } == "dumb"
        if events || lines || isDumb || isatty(STDOUT_FILENO) == 0 {
            printLines(watch, signals)
        } else {
            draw(watch, signals)
        }
    }

    private func printLines(_ watch: PanelMonitor, _ signals: SignalInbox) {
        let screen = PanelScreen(hasColors: false)
        while watch.wait(signals, until: .never) {
            let changes = watch.takeChanges()
            var text = ""
            if let notice = changes.notice { StandardError.write("detent: \(notice)\n") }
            if events {
                text = changes.events.map { $0 + "\n" }.joined()
            } else {
                text = changes.rows.map { screen.line($0) + "\n" }.joined()
            }
            if !text.isEmpty, StandardOutput.write(text) != 0 { return }
        }
    }

    private func draw(_ watch: PanelMonitor, _ signals: SignalInbox) {
        let screen = PanelScreen(hasColors: getenv("NO_COLOR") == nil)
        let keys = RawKeyboard()
        _ = StandardOutput.write("\u{1B}[?1049h\u{1B}[?25l")
        defer {
            _ = StandardOutput.write("\u{1B}[?25h\u{1B}[?1049l")
            keys.restore()
        }
        var shown: [String] = []
        var drawn = Instant.zero
        repeat {
            // Twenty frames a second are enough.
            let soonest = drawn + .milliseconds(50)
            if MonotonicClock.now < soonest, !watch.pause(signals, until: soonest) { return }
            drawn = MonotonicClock.now
            _ = watch.takeChanges()
            let (model, notice) = watch.present
            let lines = screen.lines(model, size: Self.size, notice: notice)
            if lines != shown {
                shown = lines
                let text =
                    "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
                    + "\u{1B}[J"
                if StandardOutput.write(text) != 0 { return }
            }
            // A change of the terminal's size is not signalled; it is noticed within a second.
        } while watch.wait(signals, keys, until: MonotonicClock.now + .seconds(1))
    }

    private static var size: PanelScreen.Size {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return PanelScreen.Size(columns: 80, rows: 24) }
        return PanelScreen.Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}

/// The keyboard of a terminal without echo and line editing.
struct RawKeyboard {
    private let before: termios?

    init() {
        var settings = termios()
        guard isatty(STDIN_FILENO) != 0, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            before = nil
            return
        }
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Restores the terminal's settings.
    func restore() {
        guard var before else { return }
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }

    /// Readable when a key waits; -1 if there is no terminal.
    var descriptor: Int32 { before == nil ? -1 : STDIN_FILENO }

    /// Reads a key; whether it ends the program.
    func isEnd() -> Bool {
        var letter: UInt8 = 0
        guard read(STDIN_FILENO, &letter, 1) == 1 else { return true }
        return letter == UInt8(ascii: "q") || letter == UInt8(ascii: "Q") || letter == 4
    }
}

/// The state of a panel, kept up to date by a connection on a separate thread.
final class PanelMonitor: Sendable {
    /// Changes since the last call.
    struct Changes {
        var rows: [PanelStateModel.Row] = []
        var events: [String] = []
        var notice: String?
    }

    private struct State {
        var model = PanelStateModel()
        var changed: Set<Int> = []
        var events: [String] = []
        var dropped = 0
        var notice: String?
        var isNoticeNew = false
    }

    private let client: DaemonClient
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    init(client: DaemonClient) throws {
        self.client = client
        wakeUp = try WakeUp()
    }

    /// Connects, and reconnects when the connection is lost.
    func begin() throws {
        _ = try WorkerThread(named: "detent-watch") { [self] in
            var retry = ClientLimits.firstRetry
            while true {
                let began = MonotonicClock.now
                let problem = watchDaemon()
                // After a connection that lasted, retry soon.
                if MonotonicClock.now >= began + .seconds(10) { retry = ClientLimits.firstRetry }
                say("\(problem); retrying")
                let again = MonotonicClock.now + retry
                guard let timer = try? WakeUp() else { return }
                timer.wait(until: again)
                retry = min(retry * 2, ClientLimits.longestRetry)
            }
        }
    }

    private func watchDaemon() -> String {
        let since = state.withLock { state in
            state.model.sequence.map { "?since=\($0)&session=\(state.model.session)" } ?? ""
        }
        do throws(ClientError) {
            try client.stream("/api/v1/events" + since) { [self] in
                receive($0)
                return true
            }
            return "the daemon closed the connection"
        } catch {
            return error.cause
        }
    }

    private func receive(_ message: [UInt8]) {
        state.withLock { state in
            if !state.isNoticeNew { state.notice = nil }
            switch state.model.receive(message) {
            case .all: state.changed = Set(state.model.rows.indices)
            case .rows(let rows): state.changed.formUnion(rows)
            case .events(let lines):
                let room = max(0, Self.waitingEvents - state.events.count)
                state.events += lines.prefix(room)
                state.dropped += max(0, lines.count - room)
            case .notice(let text):
                state.notice = text
                state.isNoticeNew = true
            case .nothing: break
            }
        }
        wakeUp.ring()
    }

    /// Events that wait to be printed. Further ones are dropped and counted.
    private static let waitingEvents = 100_000

    private func say(_ notice: String) {
        state.withLock { state in
            state.isNoticeNew = state.notice != notice
            state.notice = notice
        }
        wakeUp.ring()
    }

    /// The current state and notice.
    var present: (PanelStateModel, String?) { state.withLock { ($0.model, $0.notice) } }

    /// Takes the changes, once.
    func takeChanges() -> Changes {
        state.withLock { state in
            var changes = Changes()
            changes.rows = state.changed.sorted().compactMap {
                state.model.rows.indices.contains($0) ? state.model.rows[$0] : nil
            }
            changes.events = state.events
            if state.isNoticeNew { changes.notice = state.notice }
            if state.dropped > 0 {
                changes.notice = "\(state.dropped) events were dropped: the reader is too slow"
            }
            state.changed = []
            state.events = []
            state.dropped = 0
            state.isNoticeNew = false
            return changes
        }
    }

    /// Sleeps until there are changes, or until `deadline`; false if a signal or key ends the
    /// command.
    func wait(
        _ signals: SignalInbox, _ keys: RawKeyboard? = nil, until deadline: Instant
    ) -> Bool {
        var set = PollSet(capacity: 3)
        _ = set.add(keys?.descriptor ?? -1)
        _ = set.add(wakeUp.descriptor)
        _ = set.add(signals.descriptor)
        _ = set.wait(now: MonotonicClock.now, until: deadline)
        wakeUp.clear()
        if let keys, set.isReady(0), keys.isEnd() { return false }
        return signals.pop() == nil
    }

    /// Sleeps until `deadline`; false if a signal ends the command.
    func pause(_ signals: SignalInbox, until deadline: Instant) -> Bool {
        var set = PollSet(capacity: 1)
        _ = set.add(signals.descriptor)
        _ = set.wait(now: MonotonicClock.now, until: deadline)
        return signals.pop() == nil
    }
}

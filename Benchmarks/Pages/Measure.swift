import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentServer
import DetentTypes
import Glibc
import Synchronization

/// Measures in turns without and with pages, and prints `name value` lines.
func measure(controls: Int, rate: Int, pages: Int, rounds: Int, seconds: Int) throws {
    let plan = try panel(of: controls)
    let backend = try PulseBackend(
        controls: plan.lines.map { Int($0.control.index) }, contacts: controls)
    let inbox = try Inbox()
    let updates = try UpdateChannel(wakeLoop: { inbox.wake() })
    let server = try PanelServer(
        port: LoopPort(plan: plan, updates: updates, inbox: inbox),
        options: ServerOptions(listen: "127.0.0.1:0"))
    let url = try server.start()
    defer { server.stop() }
    var loop = try PanelLoop(
        plan: plan, backend: backend, dispatcher: nil, inbox: inbox, reports: ReportStream(),
        updates: updates)
    _ = loop.open()
    loop.start()
    let contacts = plan.lines.indices.filter {
        if case .contact = plan.lines[$0].use { true } else { false }
    }
    let maker = try EdgeMaker(backend, contacts: contacts, rate: rate)
    var alone: [[UInt64]] = []
    var watched: [[UInt64]] = []
    var told = (messages: 0, bytes: 0, snapshots: 0)
    for _ in 0..<rounds {
        alone.append(turn(&loop, backend, seconds))
        let child = try Child(url, pages)
        // The snapshots are not part of the measurement.
        _ = turn(&loop, backend, 2)
        watched.append(turn(&loop, backend, seconds))
        let counts = child.end()
        told.messages += counts.messages
        told.bytes += counts.bytes
        told.snapshots += counts.snapshots
        _ = turn(&loop, backend, 1)
    }
    maker.stop()
    for (name, percent) in [("p50", 50), ("p99", 99)] {
        let without = median(alone.map { percentile($0, percent) })
        let with = median(watched.map { percentile($0, percent) })
        print("edge-to-lamp-without-pages-\(name)-microseconds", without / 1_000)
        print("edge-to-lamp-with-\(pages)-pages-\(name)-microseconds", with / 1_000)
        let ratio = Double(with) / Double(max(1, without))
        print("edge-to-lamp-with-pages-\(name)", Double(Int(ratio * 100 + 0.5)) / 100)
    }
    let time = rounds * (seconds + 2)
    print("page-messages-per-second", told.messages / max(1, pages * time))
    print("page-kilobytes-per-second", told.bytes / max(1, pages * time) / 1_000)
    // One snapshot for each page; every further one means that a page was too slow.
    print("page-snapshots-per-page", Double(told.snapshots) / Double(max(1, pages * rounds)))
}

/// Runs the loop for a while, and returns the latencies of its lamps.
private func turn(_ loop: inout PanelLoop, _ backend: PulseBackend, _ seconds: Int) -> [UInt64] {
    _ = backend.takeLatencies()
    let end = MonotonicClock.now + .seconds(UInt64(seconds))
    while MonotonicClock.now < end { _ = loop.turn() }
    return backend.takeLatencies()
}

/// A panel of equal switches with lamps; it has more than a panel file allows.
private func panel(of controls: Int) throws -> PanelPlan {
    let text = """
        panel: Pages
        board: none
        controls:
          s0:
            kind: switch
            label: Switch
            input: IN
            indicator: LAMP
            debounce: none

        """
    let reading = PanelReader.read(SourceText(file: "pages.yaml", bytes: Array(text.utf8)))
    guard let one = reading.plan else { fatalError("\(reading.problems)") }
    var plan = PanelPlan(name: one.name)
    for number in 0..<controls {
        let first = UInt16(plan.lines.count)
        for var line in one.lines {
            line.name += String(number)
            line.control = ControlID(UInt16(number))
            plan.lines.append(line)
        }
        var control = one.controls[0]
        control.id = "s\(number)"
        control.label += " \(number)"
        control.settings.contacts.first += first
        control.settings.indicator.lines.first += first
        plan.controls.append(control)
    }
    return plan
}

private func percentile(_ values: [UInt64], _ percent: Int) -> UInt64 {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
}

private func median(_ values: [UInt64]) -> UInt64 { percentile(values, 50) }

/// Makes edges of one contact after another, at equal intervals, on a separate thread.
final class EdgeMaker: Sendable {
    private let stopRequested = Atomic<Bool>(false)

    init(_ backend: PulseBackend, contacts: [Int], rate: Int) throws {
        let gap = TimeSpan(nanoseconds: UInt64(1_000_000_000 / rate))
        _ = try WorkerThread(named: "edges") { [self] in
            guard let clock = try? WakeUp() else { return }
            var next = MonotonicClock.now
            var place = 0
            var round: UInt32 = 0
            while !stopRequested.load(ordering: .relaxed) {
                next = next + gap
                clock.wait(until: next)
                _ = backend.push(
                    LineID(UInt16(contacts[place])), Level(round % 2 == 0), sequence: round + 1)
                place += 1
                if place == contacts.count {
                    place = 0
                    round += 1
                }
            }
        }
    }

    func stop() { stopRequested.store(true, ordering: .relaxed) }
}

/// The process of the pages.
private struct Child {
    private let process: pid_t
    private let input: Int32
    private let output: Int32

    init(_ url: String, _ pages: Int) throws {
        var inputs: [Int32] = [0, 0]
        var outputs: [Int32] = [0, 0]
        guard pipe(&inputs) == 0, pipe(&outputs) == 0 else {
            throw PlatformError(doing: "open a pipe", errno: errno)
        }
        for end in inputs + outputs { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputs[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputs[1], STDOUT_FILENO)
        let arguments = [CommandLine.arguments[0], "follow", url, String(pages)]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let error = posix_spawn(&child, "/proc/self/exe", &actions, nil, words, environ)
        close(inputs[0])
        close(outputs[1])
        guard error == 0 else { throw PlatformError(doing: "start the pages", errno: error) }
        (process, input, output) = (child, inputs[1], outputs[0])
    }

    /// Ends the process, and returns its output.
    func end() -> (messages: Int, bytes: Int, snapshots: Int) {
        close(input)
        var text = [UInt8](repeating: 0, count: 256)
        let count = read(output, &text, text.count)
        close(output)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let numbers = String(decoding: text.prefix(max(0, count)), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        return numbers.count == 3 ? (numbers[0], numbers[1], numbers[2]) : (0, 0, 0)
    }
}

import DetentHAL
import DetentHALTesting
import DetentTypes

/// A panel in memory with a clock of its own: the smallest world in which the contract can be
/// tested.
///
/// Every look at the clock moves it by a microsecond, so that stamps differ.
final class MemoryWorld: LineDriver {
    var levels = [Bool](repeating: false, count: 8)
    var driven = [Bool](repeating: false, count: 8)
    var holders: [Int: String] = [:]
    var isPlugged = true
    var backends: [MemoryBackend] = []
    private var clock = Instant(nanoseconds: 1_000_000_000)
    /// What the backends are wrapped in.
    var wrap: (any GPIOBackend) -> any GPIOBackend = { $0 }

    var locations: [LineLocation] {
        levels.indices.map { LineLocation(lineNames: ["MEM\($0)"], chipLabels: ["memory"]) }
    }

    var countsEdges: Bool { true }
    var hasBias: Bool { true }
    var stampTolerance: TimeSpan { .milliseconds(1) }

    var now: Instant {
        clock = clock + .microseconds(1)
        return clock
    }

    func makeBackend() -> any GPIOBackend {
        let made = MemoryBackend(self)
        backends.append(made)
        return wrap(made)
    }

    func set(line: Int, high: Bool) {
        guard isPlugged, levels[line] != high else { return }
        levels[line] = high
        for backend in backends { backend.changed(line, at: now) }
    }

    func isHigh(line: Int) -> Bool { driven[line] }

    func wasHighWhenReleased(line: Int) -> Bool? { driven[line] }

    func wait(for backend: any GPIOBackend, until moment: Instant) {
        let isReady = backends.contains { !$0.queue.isEmpty }
        // A millisecond at least, so that a backend that is always due does not stop the clock.
        if !isReady { clock = max(clock + .milliseconds(1), min(moment, backend.deadline)) }
    }

    func hold(line: Int) -> String? {
        holders[line] = "other-program"
        return "other-program"
    }

    func letGo(line: Int) { holders[line] = nil }

    func unplug() -> Bool {
        isPlugged = false
        for backend in backends { backend.lost(at: now) }
        return true
    }

    func plug() {
        isPlugged = true
        levels = levels.map { _ in false }
        driven = driven.map { _ in false }
    }
}

/// The backend of `MemoryWorld`; as simple as the contract allows.
final class MemoryBackend: GPIOBackend {
    private unowned let world: MemoryWorld
    private var lines: [LineSettings] = []
    private var places: [LineID: Int] = [:]
    private var missing: Set<LineID> = []
    private var sequences: [LineID: UInt32] = [:]
    private var seen: [LineID: Level] = [:]
    private var wanted: [LineID: Level] = [:]
    private var nextPoll = Instant.never
    fileprivate(set) var queue: [LineEvent] = []
    private static let queueMax = 1024

    init(_ world: MemoryWorld) { self.world = world }

    var descriptors: [Int32] { [] }
    var descriptorGeneration: UInt32 { 0 }

    var deadline: Instant {
        if !queue.isEmpty { return .zero }
        return missing.isEmpty ? nextPoll : .zero
    }

    func open(_ lines: [LineSettings]) -> [HALError] {
        var errors: [HALError] = []
        self.lines = lines
        for settings in lines {
            if case .output(let initial, _) = settings.direction {
                wanted[settings.line] = initial
            }
            if let error = refusal(settings) {
                errors.append(error)
                missing.insert(settings.line)
            } else {
                take(settings)
            }
        }
        return errors
    }

    func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        for settings in lines where missing.contains(settings.line) {
            guard refusal(settings) == nil else { continue }
            missing.remove(settings.line)
            queue.append(LineEvent(line: settings.line, kind: .restored, at: world.now))
            take(settings)
            if let level = wanted[settings.line] {
                queue.append(LineEvent(line: settings.line, kind: .written(level), at: world.now))
            }
        }
        poll(now: now)
        let count = min(queue.count, buffer.count)
        for place in 0..<count { buffer[place] = queue[place] }
        queue.removeFirst(count)
        return count
    }

    func read(_ line: LineID, now: Instant) -> LineReading? {
        guard let place = places[line], !missing.contains(line) else { return nil }
        let at = world.now
        if let level = wanted[line] { return LineReading(level: level, at: at) }
        return LineReading(level: level(of: line, at: place), at: at)
    }

    func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        guard wanted[line] != nil else { return nil }
        wanted[line] = level
        guard let place = places[line], !missing.contains(line) else { return nil }
        world.driven[place] = (level == .active) != isActiveLow(line)
        return world.now
    }

    func close() {
        for settings in lines {
            if case .output(_, let level?) = settings.direction {
                _ = write(settings.line, level, now: world.now)
            }
        }
        lines = []
        places = [:]
        missing = []
        wanted = [:]
        queue = []
        nextPoll = .never
    }

    fileprivate func changed(_ place: Int, at moment: Instant) {
        for settings in lines where places[settings.line] == place {
            guard case .input(_, .interrupt, _) = settings.direction else { continue }
            sequences[settings.line, default: 0] += 1
            let kind = LineEvent.Kind.edge(
                level(of: settings.line, at: place), sequence: sequences[settings.line] ?? 0)
            queue.append(LineEvent(line: settings.line, kind: kind, at: moment))
            if queue.count > Self.queueMax { queue.removeFirst() }
        }
    }

    fileprivate func lost(at moment: Instant) {
        for settings in lines where !missing.contains(settings.line) {
            missing.insert(settings.line)
            queue.append(LineEvent(line: settings.line, kind: .fault(errno: 19), at: moment))
        }
    }

    private func take(_ settings: LineSettings) {
        guard let place = place(of: settings) else { return }
        places[settings.line] = place
        sequences[settings.line] = 0
        switch settings.direction {
        case .input(let bias, let edges, _):
            if bias == .pullUp { world.levels[place] = true }
            if bias == .pullDown { world.levels[place] = false }
            let level = level(of: settings.line, at: place)
            seen[settings.line] = level
            queue.append(LineEvent(line: settings.line, kind: .reading(level), at: world.now))
            if case .polled(let period) = edges { nextPoll = min(nextPoll, world.now + period) }
        case .output:
            let level = wanted[settings.line] ?? .inactive
            world.driven[place] = (level == .active) != settings.isActiveLow
        }
    }

    private func poll(now: Instant) {
        guard now >= nextPoll else { return }
        for settings in lines where !missing.contains(settings.line) {
            guard case .input(_, .polled(let period), _) = settings.direction,
                let place = places[settings.line]
            else { continue }
            nextPoll = now + period
            let level = level(of: settings.line, at: place)
            if seen.updateValue(level, forKey: settings.line) == level { continue }
            queue.append(
                LineEvent(line: settings.line, kind: .edge(level, sequence: 0), at: world.now))
        }
    }

    private func isActiveLow(_ line: LineID) -> Bool {
        lines.first { $0.line == line }?.isActiveLow ?? false
    }

    private func level(of line: LineID, at place: Int) -> Level {
        Level(world.levels[place] != isActiveLow(line))
    }

    private func place(of settings: LineSettings) -> Int? {
        world.locations.firstIndex { $0.lineNames == settings.location.lineNames }
    }

    private func refusal(_ settings: LineSettings) -> HALError? {
        func make(_ code: HALError.Code, _ cause: String, _ remedy: String, _ holder: String? = nil)
            -> HALError
        {
            HALError(
                code: code, line: settings.name, holder: holder, cause: cause, remedy: remedy)
        }
        if !world.isPlugged || !settings.location.chipLabels.contains("memory") {
            return make(.noSuchChip, "no chip \(settings.location.chipLabels)", "plug it in")
        }
        guard let place = place(of: settings) else {
            return make(.noSuchLine, "no such line", "use MEM0")
        }
        if let holder = world.holders[place] {
            return make(.busy, "held by \(holder)", "stop it", holder)
        }
        let twin = lines.first { $0.line != settings.line && places[$0.line] == place }
        return twin.map { make(.busy, "used twice", "choose another line", $0.name) }
    }
}

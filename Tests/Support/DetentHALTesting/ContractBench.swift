internal import DetentHAL
internal import DetentTypes

/// A backend under test, with all its events so far.
final class ContractBench {
    let driver: any LineDriver
    let backend: any GPIOBackend
    /// All events since the start, or since `forget`.
    private(set) var events: [LineEvent] = []
    private let buffer: UnsafeMutableBufferPointer<LineEvent>

    /// The longest time that a check waits for an expected event; a working backend is faster.
    static let patience = TimeSpan.seconds(5)
    /// The time during which no further event may arrive.
    static let silence = TimeSpan.milliseconds(60)

    init(driver: any LineDriver, bufferSize: Int = 64) {
        self.driver = driver
        backend = driver.makeBackend()
        buffer = .allocate(capacity: bufferSize)
        buffer.initialize(repeating: LineEvent(line: LineID(0), kind: .overflow, at: .zero))
    }

    deinit { buffer.deallocate() }

    func close() {
        backend.close()
        for line in driver.locations.indices { driver.set(line: line, high: false) }
    }

    // MARK: Lines

    func input(
        _ line: Int, isActiveLow: Bool = false, bias: Bias = .asIs, edges: EdgeSource = .interrupt
    ) -> LineSettings {
        LineSettings(
            line: LineID(UInt16(line)), name: "input\(line)", location: driver.locations[line],
            isActiveLow: isActiveLow,
            direction: .input(bias: bias, edges: edges, kernelDebounce: nil))
    }

    func output(
        _ line: Int, isActiveLow: Bool = false, initial: Level = .inactive, onRelease: Level? = nil
    ) throws -> LineSettings {
        guard driver.hasOutputs else { throw MissingCapability() }
        return LineSettings(
            line: LineID(UInt16(line)), name: "output\(line)", location: driver.locations[line],
            isActiveLow: isActiveLow, direction: .output(initial: initial, onRelease: onRelease))
    }

    /// Opens lines that must all be available, and discards their first readings.
    func open(_ lines: LineSettings...) throws {
        let errors = backend.open(lines)
        try expect(errors.isEmpty, "open: \(errors.map(\.cause))")
        drain()
        forget()
    }

    // MARK: Time

    /// Reads all waiting events.
    func drain() {
        while true {
            let count = backend.drain(into: buffer, now: driver.now)
            events.append(contentsOf: buffer.prefix(count))
            if count < buffer.count { return }
        }
    }

    /// Reads events until `isEnough`, or until the longest time has passed; false in the latter
    /// case.
    @discardableResult
    func waitUntil(
        for span: TimeSpan = ContractBench.patience, _ isEnough: ([LineEvent]) -> Bool
    ) -> Bool {
        let end = driver.now + span
        while true {
            drain()
            if isEnough(events) { return true }
            if driver.now >= end { return false }
            driver.wait(for: backend, until: min(end, backend.deadline))
        }
    }

    /// Reads events as long as any may arrive.
    func awaitSilence() {
        waitUntil(for: Self.silence) { _ in false }
    }

    func forget() {
        events.removeAll()
    }

    // MARK: Levels, from fast and slow backends alike

    func read(_ line: Int) throws -> LineReading {
        drain()
        let id = LineID(UInt16(line))
        if let reading = backend.read(id, now: driver.now) { return reading }
        let known = events.count
        var found: LineReading?
        waitUntil { events in
            for event in events.dropFirst(known) where event.line == id {
                if case .reading(let level) = event.kind {
                    found = LineReading(level: level, at: event.at)
                }
            }
            return found != nil
        }
        guard let found else { throw ContractFailure("no reading of line \(line) came") }
        return found
    }

    @discardableResult
    func write(_ line: Int, _ level: Level) throws -> Instant {
        drain()
        let id = LineID(UInt16(line))
        if let at = backend.write(id, level, now: driver.now) { return at }
        let known = events.count
        var found: Instant?
        waitUntil { events in
            for event in events.dropFirst(known)
            where event.line == id && event.kind == .written(level) { found = event.at }
            return found != nil
        }
        guard let found else { throw ContractFailure("no write to line \(line) was announced") }
        return found
    }

    // MARK: Judging

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) throws {
        if !holds { throw ContractFailure(text()) }
    }

    func expectEqual<Thing: Equatable>(
        _ found: Thing, _ expected: Thing, _ what: String
    ) throws {
        if found != expected {
            throw ContractFailure("\(what): expected \(expected), found \(found)")
        }
    }

    /// The edges of a line in the order of arrival.
    func edges(of line: Int? = nil) -> [(line: Int, level: Level, sequence: UInt32, at: Instant)] {
        events.compactMap { event in
            guard case .edge(let level, let sequence) = event.kind else { return nil }
            let number = Int(event.line.index)
            return line == nil || line == number ? (number, level, sequence, event.at) : nil
        }
    }

    func readings(of line: Int) -> [Level] {
        events.compactMap { event in
            guard case .reading(let level) = event.kind, Int(event.line.index) == line else {
                return nil
            }
            return level
        }
    }

    func has(_ kind: LineEvent.Kind, line: Int) -> Bool {
        events.contains { $0.kind == kind && Int($0.line.index) == line }
    }

    func hasFault(line: Int) -> Bool {
        events.contains {
            if case .fault = $0.kind { return Int($0.line.index) == line }
            return false
        }
    }
}

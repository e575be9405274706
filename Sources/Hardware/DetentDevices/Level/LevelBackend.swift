public import DetentHAL
internal import DetentPlatform
public import DetentTypes
internal import Glibc

/// Outputs with levels: lamps of Linux's LED class, and channels that make pulses (PWM).
///
/// An output is found by its name, and its file is opened once. Writing to a lamp never waits: the
/// kernel itself puts off what its driver cannot do at once. A chip of pulses has a thread of its
/// own. An output that is gone makes its line faulty at the next write, as does one that does not
/// answer for a second; it is searched for once a second, on another thread.
public final class LevelBackend: GPIOBackend {
    /// Options in addition to the lines.
    public struct Options: Sendable {
        /// Where lamps are searched.
        public var leds = LEDInventory.folder
        /// Where chips of pulses are searched.
        public var pulses = PWMInventory.folder
        /// How often lines without an output are retried.
        public var retryPeriod = TimeSpan.seconds(1)
        /// A write that takes longer is a fault.
        public var longestWrite = TimeSpan.seconds(1)
        /// Writes a value to a slow chip; tests use another.
        var write: LevelWriter.Write = { $0.write($1) }

        /// Makes the options of a real machine.
        public init() {}
    }

    /// Where an output was found on this machine, for a process that has to write its level.
    public struct Place: Equatable, Sendable {
        /// The line's index in the plan.
        public var line: LineID
        /// The file of the output, for messages.
        public var file: String
        /// The same file, open for writing as long as the backend has the output: at least until
        /// its thread goes on.
        public var descriptor: Int32
        /// What to write there for the inactive level.
        public var inactive: String
        /// What to write there for the active level, at full strength.
        public var active: String

        /// What to write for a level.
        public func text(_ level: Level) -> String { level == .active ? active : inactive }
    }

    /// A line of the panel.
    struct Slot {
        var settings: LineSettings
        /// Names its writes at the writer, also after a change of the lines.
        var key = 0
        var node: LevelNode?
        var writer: LevelWriter?
        var level = Level.inactive
        var strength = Strength.full
        /// What the file has, or will have; nil if that is not known.
        var written: UInt64?

        init(_ settings: LineSettings) {
            self.settings = settings
            if case .output(let initial, _) = settings.direction { level = initial }
        }

        var channel: DeviceChannel? { settings.location.channel }

        /// What the file has to have; nil without an output.
        var value: UInt64? {
            node?.value(level, strength, isActiveLow: settings.isActiveLow)
        }

        /// Where the output is; nil without one.
        var place: Place? {
            node.map { node in
                func text(_ level: Level) -> String {
                    String(node.value(level, .full, isActiveLow: settings.isActiveLow))
                }
                return Place(
                    line: settings.line, file: node.path, descriptor: node.file.descriptor,
                    inactive: text(.inactive), active: text(.active))
            }
        }

        /// Leaves the output at its release level; a lamp is the kernel's again. It may wait.
        func release() {
            guard let node, case .output(_, let level?) = settings.direction else { return }
            _ = node.write(node.value(level, .full, isActiveLow: settings.isActiveLow))
            if channel?.isLamp == true { for setting in node.atEnd { _ = setting.put() } }
        }
    }

    /// At most a fault, a recovery and a write of each line, twice.
    private static let capacity = 2048

    let options: Options
    var slots: [Slot] = []
    var queue = LineEventQueue(capacity: LevelBackend.capacity)
    let search = BackgroundWork<LevelSearch.Answer>(named: "detent-level")
    private var writers: [LevelWriter] = []
    private let bell = try? WakeUp()
    private var lastKey = 0
    /// When to look for outputs that are missing or do not answer.
    private var nextLook = Instant.never

    /// Descriptors that become readable when `drain` has events.
    public private(set) var descriptors: [Int32] = []
    /// Changes with `descriptors`.
    public private(set) var descriptorGeneration: UInt32 = 0

    /// Makes a backend without lines.
    public init(options: Options = Options()) { self.options = options }

    deinit { close() }

    /// Whether a line is an output with levels.
    public static func takes(_ settings: LineSettings) -> Bool {
        settings.location.channel?.kind.hasLevels == true
    }

    /// Finds the outputs, and writes their initial levels.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        close()
        slots = lines.map { Slot($0) }
        guard !slots.isEmpty else { return [] }
        let answer = searcher.connect(wanted(slots.indices))
        for found in answer.found { install(found) }
        schedule()
        return answer.failures.sorted { $0.slot < $1.slot }.map(\.error)
    }

    /// Where the outputs are, of those that were found.
    public var places: [Place] { slots.compactMap(\.place) }

    /// Told where an output is when it is found: at the start, after a change of the lines, and
    /// when it is back, perhaps with another file. On the thread of the backend.
    public var didFind: (Place) -> Void = { _ in }

    /// The next look at outputs that are missing or do not answer; at once if events wait.
    public var deadline: Instant { queue.isEmpty ? nextLook : .zero }

    /// There are no edges.
    public var stampsEdges: Bool { true }

    /// Moves writes, faults and recoveries into `buffer`.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        guard !slots.isEmpty else { return 0 }
        if !writers.isEmpty { noteResults() }
        if search.isBusy, let answer = search.take() { adopt(answer) }
        if now >= nextLook { look(now: now) }
        return queue.pop(into: buffer)
    }

    /// The level that an output was driven to.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        guard let index = slot(of: line), slots[index].node != nil else { return nil }
        return LineReading(level: slots[index].level, at: now)
    }

    /// Drives an output.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        guard let index = slot(of: line) else { return nil }
        slots[index].level = level
        return update(index, tells: true) ? MonotonicClock.now : nil
    }

    /// Drives an output whose moment is not needed.
    public func show(_ line: LineID, _ level: Level, now: Instant) {
        guard let index = slot(of: line) else { return }
        slots[index].level = level
        _ = update(index)
    }

    /// Makes an output this strong while it is active.
    public func adjust(_ line: LineID, to strength: Strength, now: Instant) {
        guard let index = slot(of: line) else { return }
        slots[index].strength = strength
        _ = update(index)
    }

    /// Leaves the outputs at their release levels; may wait for slow buses.
    public func close() {
        search.giveUp()
        let end = MonotonicClock.now + options.longestWrite
        let stuck = writers.filter { !$0.stop(until: end) }
        for slot in slots where !stuck.contains(where: { $0 === slot.writer }) { slot.release() }
        slots = []
        writers = []
        queue.removeAll()
        schedule()
    }

    private func slot(of line: LineID) -> Int? {
        slots.firstIndex { $0.settings.line == line }
    }

    // MARK: Writing

    /// Writes what a line has to be; returns whether that is done now.
    func update(_ index: Int, tells: Bool = false) -> Bool {
        guard let node = slots[index].node, let value = slots[index].value else { return false }
        if let writer = slots[index].writer {
            guard value != slots[index].written || tells else { return false }
            slots[index].written = value
            writer.add(
                LevelWriter.Job(
                    key: slots[index].key, node: node, value: value,
                    level: tells ? slots[index].level : nil))
            if nextLook == .never { nextLook = MonotonicClock.now + options.longestWrite }
            return false
        }
        guard value != slots[index].written else { return true }
        let errno = node.write(value)
        slots[index].written = value
        guard errno != 0 else { return true }
        fail(index, errno: errno, at: MonotonicClock.now)
        return false
    }

    private func noteResults() {
        bell?.clear()
        let results = writers.flatMap { $0.collect() }
        if results.isEmpty { return }
        defer { schedule() }
        for result in results {
            guard let index = slots.firstIndex(where: { $0.key == result.key }),
                slots[index].node != nil
            else { continue }
            if result.errno != 0 {
                fail(index, errno: result.errno, at: result.at)
            } else if let level = result.level {
                put(index, .written(level), at: result.at)
            }
        }
    }

    private func fail(_ index: Int, errno: Int32, at: Instant) {
        slots[index].node = nil
        slots[index].writer = nil
        put(index, .fault(errno: errno), at: at)
        schedule()
    }

    func put(_ index: Int, _ kind: LineEvent.Kind, at: Instant) {
        queue.append(LineEvent(line: slots[index].settings.line, kind: kind, at: at))
    }

    /// Takes over an output that was begun.
    func install(_ found: LevelSearch.Found) {
        let index = found.wanted.slot
        lastKey += 1
        slots[index].key = lastKey
        slots[index].node = found.node
        slots[index].written = found.value
        slots[index].writer = found.node.slowChip.flatMap(writer)
        if let place = slots[index].place { didFind(place) }
    }

    private func writer(of chip: String) -> LevelWriter? {
        if let writer = writers.first(where: { $0.chip == chip }) { return writer }
        guard let bell,
            let writer = try? LevelWriter(chip: chip, bell: bell, write: options.write)
        else { return nil }
        writers.append(writer)
        return writer
    }

    /// Ends the writers that no line has.
    func dropWriters() {
        let idle = writers.filter { writer in !slots.contains { $0.writer === writer } }
        writers.removeAll { writer in idle.contains { $0 === writer } }
        for writer in idle { _ = writer.stop(until: .zero) }
    }

    // MARK: Outputs that come back

    var searcher: LevelSearch { LevelSearch(leds: options.leds, pulses: options.pulses) }

    func wanted(_ places: some Sequence<Int>) -> [LevelSearch.Wanted] {
        places.map {
            LevelSearch.Wanted(
                slot: $0, settings: slots[$0].settings, level: slots[$0].level,
                strength: slots[$0].strength)
        }
    }

    private func look(now: Instant) {
        nextLook = .never
        for writer in writers {
            guard let since = writer.writingSince, since + options.longestWrite <= now else {
                continue
            }
            // Another thread takes over when the chip answers: this one waits in the driver.
            writers.removeAll { $0 === writer }
            _ = writer.stop(until: .zero)
            for index in slots.indices where slots[index].writer === writer {
                fail(index, errno: ETIMEDOUT, at: now)
            }
        }
        let wanted = wanted(slots.indices.filter { slots[$0].node == nil })
        let searcher = searcher
        if !wanted.isEmpty {
            _ = search.start { searcher.connect(wanted) }
        }
        schedule()
    }

    private func adopt(_ answer: LevelSearch.Answer) {
        for found in answer.found where slots[found.wanted.slot].node == nil {
            let index = found.wanted.slot
            install(found)
            put(index, .restored, at: MonotonicClock.now)
            // It may have changed meanwhile.
            if update(index, tells: true) {
                put(index, .written(slots[index].level), at: MonotonicClock.now)
            }
        }
        schedule()
    }

    /// Looks again while outputs are missing, or a write goes on; otherwise the process sleeps.
    func schedule() {
        if slots.contains(where: { $0.node == nil }) {
            nextLook = min(nextLook, MonotonicClock.now + options.retryPeriod)
        } else if writers.contains(where: \.isBusy) {
            nextLook = min(nextLook, MonotonicClock.now + options.longestWrite)
        } else {
            nextLook = .never
        }
        let list =
            slots.isEmpty
            ? [] : [search.descriptor] + (writers.isEmpty ? [] : [bell?.descriptor ?? -1])
        guard list != descriptors else { return }
        descriptors = list
        descriptorGeneration &+= 1
    }
}

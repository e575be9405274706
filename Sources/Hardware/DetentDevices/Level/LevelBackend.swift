public import DetentHAL
internal import DetentPlatform
public import DetentTypes
internal import Glibc

/// Outputs with levels: lamps of Linux's LED class.
///
/// A lamp is found by its name, and its file is opened once. Writing there never waits: the kernel
/// itself puts off what its driver cannot do at once. A lamp that is gone makes its line faulty at
/// the next write; it is searched for once a second, on another thread.
public final class LevelBackend: GPIOBackend {
    /// Options in addition to the lines.
    public struct Options: Sendable {
        /// Where lamps are searched.
        public var leds = LEDInventory.folder
        /// How often lines without an output are retried.
        public var retryPeriod = TimeSpan.seconds(1)

        /// Makes the options of a real machine.
        public init() {}
    }

    /// Where an output was found on this machine, for a process that has to write its level.
    public struct Place: Equatable, Sendable {
        /// The line's index in the plan.
        public var line: LineID
        /// The file of the output. It is valid until the output goes away.
        public var file: String
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
        var node: LevelNode?
        var level = Level.inactive
        var strength = Strength.full
        /// What the file has; nil if that is not known.
        var written: UInt64?

        init(_ settings: LineSettings) {
            self.settings = settings
            if case .output(let initial, _) = settings.direction { level = initial }
        }

        var channel: DeviceChannel? { settings.location.channel }

        /// Writes what the line has to be; returns 0 or an error number.
        mutating func update() -> Int32 {
            guard let node else { return ENODEV }
            let value = node.value(level, strength, isActiveLow: settings.isActiveLow)
            guard value != written else { return 0 }
            let errno = node.write(value)
            written = errno == 0 ? value : nil
            return errno
        }

        /// Takes over an output that was found; returns 0 or an error number.
        mutating func begin(_ found: LevelNode) -> Int32 {
            let errno = found.takeFromKernel()
            guard errno == 0 else { return errno }
            node = found
            written = nil
            let refused = update()
            if refused != 0 { node = nil }
            return refused
        }

        /// Leaves the output at its release level; a lamp is the kernel's again.
        mutating func release() {
            guard let node, case .output(_, let level?) = settings.direction else { return }
            self.level = level
            strength = .full
            _ = update()
            if channel?.isLamp == true { node.giveBackToKernel() }
        }
    }

    /// At most a fault, a recovery and a write of each line, twice.
    private static let capacity = 2048

    let options: Options
    var slots: [Slot] = []
    var queue = LineEventQueue(capacity: LevelBackend.capacity)
    let search: BackgroundWork<LevelSearch.Answer>
    /// When to look for outputs that are missing.
    private var nextLook = Instant.never

    /// Descriptors that become readable when `drain` has events.
    public private(set) var descriptors: [Int32] = []
    /// Changes with `descriptors`.
    public private(set) var descriptorGeneration: UInt32 = 0

    /// Makes a backend without lines.
    public init(options: Options = Options()) {
        self.options = options
        search = BackgroundWork(named: "detent-level")
    }

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
        var errors = answer.failures
        for found in answer.found {
            let errno = slots[found.slot].begin(found.node)
            guard errno != 0 else { continue }
            errors.append(
                (
                    found.slot,
                    .levelRefused(slots[found.slot].settings, found.node.path, errno: errno)
                ))
        }
        schedule()
        return errors.sorted { $0.slot < $1.slot }.map(\.error)
    }

    var searcher: LevelSearch { LevelSearch(leds: options.leds) }

    func wanted(_ places: some Sequence<Int>) -> [LevelSearch.Wanted] {
        places.map { LevelSearch.Wanted(slot: $0, settings: slots[$0].settings) }
    }

    /// Where the outputs are, of those that were found.
    public var places: [Place] {
        slots.compactMap { slot in
            slot.node.map { node in
                func text(_ level: Level) -> String {
                    String(node.value(level, .full, isActiveLow: slot.settings.isActiveLow))
                }
                return Place(
                    line: slot.settings.line, file: node.path, inactive: text(.inactive),
                    active: text(.active))
            }
        }
    }

    /// The next look at outputs that are missing; at once if events wait.
    public var deadline: Instant { queue.isEmpty ? nextLook : .zero }

    /// There are no edges.
    public var stampsEdges: Bool { true }

    /// Moves faults, recoveries and their writes into `buffer`.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        guard !slots.isEmpty else { return 0 }
        if search.isBusy, let answer = search.take() { adopt(answer) }
        if now >= nextLook { look(now: now) }
        return queue.pop(into: buffer)
    }

    /// The level that an output was driven to.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        guard let place = slot(of: line), slots[place].node != nil else { return nil }
        return LineReading(level: slots[place].level, at: now)
    }

    /// Drives an output.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        guard let place = slot(of: line) else { return nil }
        slots[place].level = level
        return update(place) ? MonotonicClock.now : nil
    }

    /// Drives an output whose moment is not needed.
    public func show(_ line: LineID, _ level: Level, now: Instant) {
        guard let place = slot(of: line) else { return }
        slots[place].level = level
        _ = update(place)
    }

    /// Makes an output this strong while it is active.
    public func adjust(_ line: LineID, to strength: Strength, now: Instant) {
        guard let place = slot(of: line) else { return }
        slots[place].strength = strength
        _ = update(place)
    }

    /// Leaves the outputs at their release levels.
    public func close() {
        search.giveUp()
        for place in slots.indices { slots[place].release() }
        slots = []
        queue.removeAll()
        schedule()
    }

    private func slot(of line: LineID) -> Int? {
        slots.firstIndex { $0.settings.line == line }
    }

    private func update(_ place: Int) -> Bool {
        guard slots[place].node != nil else { return false }
        let errno = slots[place].update()
        guard errno != 0 else { return true }
        slots[place].node = nil
        put(place, .fault(errno: errno), at: MonotonicClock.now)
        schedule()
        return false
    }

    func put(_ place: Int, _ kind: LineEvent.Kind, at: Instant) {
        queue.append(LineEvent(line: slots[place].settings.line, kind: kind, at: at))
    }

    // MARK: Outputs that come back

    private func look(now: Instant) {
        nextLook = now + options.retryPeriod
        let wanted = wanted(slots.indices.filter { slots[$0].node == nil })
        let searcher = searcher
        _ = search.start { searcher.connect(wanted) }
    }

    private func adopt(_ answer: LevelSearch.Answer) {
        let now = MonotonicClock.now
        for found in answer.found where slots[found.slot].node == nil {
            guard slots[found.slot].begin(found.node) == 0 else { continue }
            put(found.slot, .restored, at: now)
            put(found.slot, .written(slots[found.slot].level), at: now)
        }
        schedule()
    }

    /// Looks for outputs while some are missing; otherwise the process sleeps.
    func schedule() {
        let isMissing = slots.contains { $0.node == nil }
        if !isMissing {
            nextLook = .never
        } else if nextLook == .never {
            nextLook = MonotonicClock.now + options.retryPeriod
        }
        let list = slots.isEmpty ? [] : [search.descriptor]
        guard list != descriptors else { return }
        descriptors = list
        descriptorGeneration &+= 1
    }
}

internal import CInput
public import DetentHAL
internal import DetentPlatform
public import DetentTypes
internal import Glibc

/// Keys and turning axes of input devices (evdev): button boxes, keypads, gamepads, knobs.
///
/// A device is found by its name, its place or a link, never by the number of its node. The kernel
/// stamps every event. When the kernel's queue was full (`SYN_DROPPED`), each line of the device
/// reports `overflow`. A device that disappears makes its lines faulty; it is searched for when a
/// node appears, and once a second, on a thread of its own.
///
/// A key is a contact that is closed while it is pressed. Its repetitions are ignored. Each step of
/// an axis makes two edges, one of each of its lines, 1 ns apart.
public final class InputBackend: GPIOBackend {
    /// Options in addition to the lines.
    public struct Options: Sendable {
        /// Where devices are searched.
        public var folders = InputFolders()
        /// How often lines without a device are retried.
        public var retryPeriod = TimeSpan.seconds(1)

        /// Makes the options of a real machine.
        public init() {}
    }

    /// A line of the panel.
    struct Slot {
        var settings: LineSettings
        var device: OpenInput?
        var level = Level.inactive

        var channel: DeviceChannel? { settings.location.channel }
    }

    /// A device with what is known of its stream.
    struct Stream {
        let device: OpenInput
        /// Events up to the next report are of no use.
        var isDropping = false
    }

    /// Events that wait here; more stay in the kernel's queue.
    private static let capacity = 1024
    /// Steps that one event of an axis may have; what is beyond is a loss. A hand makes 10.
    private static let mostSteps: Int32 = 64
    private static let monitorPlace = 0
    private static let searchPlace = 1

    let options: Options
    var slots: [Slot] = []
    var streams: [Stream] = []
    var queue = LineEventQueue(capacity: InputBackend.capacity)
    private var monitor: DeviceMonitor?
    let search: BackgroundWork<InputSearch.Answer>
    private let batch: UnsafeMutableBufferPointer<detent_input_event>
    private var marks: [Bool] = []
    private var isMarked = false
    private var hasMore = false
    private var nextRetry = Instant.never

    /// Descriptors that become readable when `drain` has events.
    public private(set) var descriptors: [Int32] = []
    /// Changes with `descriptors`.
    public private(set) var descriptorGeneration: UInt32 = 0

    /// Makes a backend without lines.
    public init(options: Options = Options()) {
        self.options = options
        search = BackgroundWork(named: "detent-input")
        batch = .allocate(capacity: Int(DETENT_INPUT_BATCH))
    }

    deinit {
        close()
        batch.deallocate()
    }

    /// Whether a line is a channel of an input device.
    public static func takes(_ settings: LineSettings) -> Bool {
        let kind = settings.location.channel?.kind
        return kind == .inputKey || kind == .inputAxis
    }

    /// Finds and opens the devices; may wait for a driver.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        close()
        slots = lines.map { Slot(settings: $0) }
        guard !slots.isEmpty else { return [] }
        // Before the search, so that no device is missed.
        startMonitor()
        let (usable, refused) = unused(slots.indices.map { $0 })
        let answer = InputSearch(folders: options.folders).connect(usable)
        adopt(answer, isRestoring: false)
        scheduleRetry(now: MonotonicClock.now)
        return (refused + answer.failures).sorted { $0.slot < $1.slot }.map(\.error)
    }

    func startMonitor() {
        guard monitor == nil, !slots.isEmpty else { return }
        monitor = DeviceMonitor(folder: options.folders.devices, prefix: "event")
    }

    /// The lines to search for, without those whose channel another line has.
    func unused(
        _ places: [Int]
    ) -> (wanted: [InputSearch.Wanted], refused: [(slot: Int, error: HALError)]) {
        var wanted: [InputSearch.Wanted] = []
        var refused: [(slot: Int, error: HALError)] = []
        for place in places {
            let channel = slots[place].channel
            if let first = slots[..<place].first(where: { $0.channel == channel }) {
                refused.append((place, .inputUsedTwice(slots[place].settings, first.settings)))
            } else {
                wanted.append(InputSearch.Wanted(slot: place, settings: slots[place].settings))
            }
        }
        return (wanted, refused)
    }

    /// The next retry; at once if events wait.
    public var deadline: Instant { queue.isEmpty && !hasMore ? nextRetry : .zero }

    /// The kernel stamps events.
    public var stampsEdges: Bool { true }

    /// Marks a descriptor as readable, so that `drain` reads no other.
    public func markReady(_ index: Int) {
        guard marks.indices.contains(index) else { return }
        marks[index] = true
        isMarked = true
    }

    /// Moves the events of all devices into `buffer`, in the order of their stamps.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        guard !slots.isEmpty else { return 0 }
        let everything = !isMarked || hasMore
        isMarked = false
        hasMore = false
        if everything || marks[Self.monitorPlace] { readMonitor(now: now) }
        if everything || marks[Self.searchPlace] { readSearch(now: now) }
        var gone: OpenInput?
        for place in streams.indices where everything || marks[place + 2] {
            marks[place + 2] = false
            if !read(place) { gone = streams[place].device }
        }
        marks[Self.monitorPlace] = false
        marks[Self.searchPlace] = false
        if let gone { lose(gone, at: MonotonicClock.now) }
        if now >= nextRetry { retry(now: now) }
        return queue.pop(into: buffer)
    }

    /// Reads the level of a key from the device; of an axis, the level that its steps made.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        guard let place = slots.firstIndex(where: { $0.settings.line == line }),
            let device = slots[place].device,
            let stream = streams.firstIndex(where: { $0.device === device })
        else { return nil }
        let at = MonotonicClock.now
        if slots[place].channel?.kind == .inputAxis {
            return LineReading(level: slots[place].level, at: at)
        }
        // Edges that wait in the kernel come first: the question drops them there.
        guard read(stream), let keys = device.keys() else {
            lose(device, at: at)
            return nil
        }
        for other in slots.indices where slots[other].device === device {
            guard let channel = slots[other].channel, channel.kind == .inputKey else { continue }
            change(other, isPressed: keys.contains(channel.number), at: at, tells: other != place)
        }
        return LineReading(level: slots[place].level, at: at)
    }

    /// There are no outputs.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? { nil }

    /// Closes all devices.
    public func close() {
        search.giveUp()
        monitor = nil
        slots = []
        streams = []
        queue.removeAll()
        nextRetry = .never
        isMarked = false
        hasMore = false
        if !descriptors.isEmpty { listDescriptors() }
    }

    // MARK: Events

    func put(_ place: Int, _ kind: LineEvent.Kind, at: Instant) {
        queue.append(LineEvent(line: slots[place].settings.line, kind: kind, at: at))
    }

    /// Reads what waits of a device; false if it is gone.
    private func read(_ place: Int) -> Bool {
        while true {
            // Every event can be as many edges as an axis has steps.
            guard queue.room > 2 * Int(Self.mostSteps) + batch.count * slots.count else {
                hasMore = true
                return true
            }
            let count = detent_input_read(
                streams[place].device.file, batch.baseAddress, Int32(batch.count))
            if count < 0 { return false }
            for event in batch.prefix(Int(count)) { take(event, from: place) }
            if count < batch.count { return true }
        }
    }

    private func take(_ event: detent_input_event, from place: Int) {
        let at = Instant(nanoseconds: event.nanoseconds)
        let device = streams[place].device
        switch event.kind {
        case DETENT_INPUT_DROPPED:
            streams[place].isDropping = true
        case DETENT_INPUT_REPORT where streams[place].isDropping:
            streams[place].isDropping = false
            for slot in slots.indices where slots[slot].device === device {
                put(slot, .overflow, at: at)
            }
        case DETENT_INPUT_KEY where !streams[place].isDropping && event.value != 2:
            for slot in slots.indices
            where slots[slot].device === device
                && slots[slot].has(.inputKey, UInt32(event.code))
            {
                change(slot, isPressed: event.value != 0, at: at)
            }
        case DETENT_INPUT_AXIS where !streams[place].isDropping:
            turn(device, UInt32(event.code), by: event.value, at: at)
        default:
            break
        }
    }

    private func change(_ place: Int, isPressed: Bool, at: Instant, tells: Bool = true) {
        let level = Level(isPressed != slots[place].settings.isActiveLow)
        guard slots[place].level != level else { return }
        slots[place].level = level
        if tells { put(place, .edge(level, sequence: 0), at: at) }
    }

    /// Moves the contacts of an axis: A leads where it turns clockwise.
    private func turn(_ device: OpenInput, _ code: UInt32, by steps: Int32, at: Instant) {
        func slot(_ part: UInt8) -> Int? {
            slots.indices.first {
                slots[$0].device === device && slots[$0].has(.inputAxis, code)
                    && slots[$0].channel?.part == part
            }
        }
        guard steps != 0, let a = slot(0), let b = slot(1) else { return }
        let (first, second) = steps > 0 ? (a, b) : (b, a)
        var moment = at
        for _ in 0..<min(steps.magnitude, UInt32(Self.mostSteps)) {
            for place in [first, second] {
                slots[place].level = slots[place].level == .active ? .inactive : .active
                put(place, .edge(slots[place].level, sequence: 0), at: moment)
                moment = moment + .nanoseconds(1)
            }
        }
        if steps.magnitude > UInt32(Self.mostSteps) { put(a, .overflow, at: moment) }
    }

    // MARK: Devices that come and go

    private func readMonitor(now: Instant) {
        var hasAppeared = false
        monitor?.read { change in
            switch change {
            case .appeared, .unknown: hasAppeared = true
            // A device that is gone says so itself.
            case .vanished: break
            }
        }
        if hasAppeared, nextRetry != .never { nextRetry = now }
    }

    private func readSearch(now: Instant) {
        guard let answer = search.take() else { return }
        adopt(answer, isRestoring: true)
        scheduleRetry(now: now)
    }

    func scheduleRetry(now: Instant) {
        let isNeeded = slots.contains { $0.device == nil }
        nextRetry = isNeeded ? now + options.retryPeriod : .never
    }

    private func retry(now: Instant) {
        scheduleRetry(now: now)
        let missing = slots.indices.filter { slots[$0].device == nil }
        guard !missing.isEmpty else { return }
        let wanted = unused(missing).wanted
        let present = streams.map(\.device)
        let folders = options.folders
        _ = search.start { InputSearch(folders: folders).connect(wanted, present: present) }
    }

    /// Takes over what a search has found.
    func adopt(_ answer: InputSearch.Answer, isRestoring: Bool) {
        guard !answer.found.isEmpty || !isRestoring else { return }
        for found in answer.found {
            // The question for the pressed keys dropped the edges that waited in the kernel.
            for place in slots.indices where slots[place].device === found.device {
                guard let channel = slots[place].channel, channel.kind == .inputKey else {
                    continue
                }
                change(place, isPressed: found.keys.contains(channel.number), at: found.at)
            }
            if !streams.contains(where: { $0.device === found.device }) {
                streams.append(Stream(device: found.device))
            }
            for place in found.slots {
                guard let channel = slots[place].channel else { continue }
                slots[place].device = found.device
                if isRestoring { put(place, .restored, at: found.at) }
                if channel.kind == .inputKey {
                    let isPressed = found.keys.contains(channel.number)
                    slots[place].level = Level(isPressed != slots[place].settings.isActiveLow)
                } else {
                    slots[place].level = .inactive
                }
                put(place, .reading(slots[place].level), at: found.at)
            }
        }
        listDescriptors()
    }

    /// A device is gone: its lines are faulty.
    private func lose(_ device: OpenInput, at: Instant) {
        streams.removeAll { $0.device === device }
        for place in slots.indices where slots[place].device === device {
            slots[place].device = nil
            put(place, .fault(errno: ENODEV), at: at)
        }
        listDescriptors()
        scheduleRetry(now: at)
    }

    func listDescriptors() {
        descriptors =
            slots.isEmpty
            ? []
            : [monitor?.descriptor ?? -1, search.descriptor] + streams.map(\.device.file)
        marks = Array(repeating: false, count: descriptors.count)
        descriptorGeneration &+= 1
    }
}

extension InputBackend.Slot {
    fileprivate func has(_ kind: DeviceChannel.Kind, _ code: UInt32) -> Bool {
        guard let channel = settings.location.channel else { return false }
        return channel.number == code && channel.kind == kind
    }
}

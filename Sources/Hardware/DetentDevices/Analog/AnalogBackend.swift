public import DetentHAL
internal import DetentPlatform
public import DetentTypes
internal import Glibc

/// Voltages of converters (IIO): potentiometers, and selectors on ladders of resistors.
///
/// A converter is found by its name or its place, never by the number of its folder. Its channels
/// are sampled 50 times a second on a thread of its own, and a line tells a sample when it differs
/// from the last one by more than its tolerance. A converter that disappears, or whose driver does
/// not answer for a second, makes its lines faulty; it is searched for once a second, on another
/// thread.
///
/// A line has samples and no levels: `read` knows none.
public final class AnalogBackend: GPIOBackend {
    /// Options in addition to the lines.
    public struct Options: Sendable {
        /// Where converters are searched.
        public var folder = AnalogInventory.folder
        /// The time between two samples of a channel: 50 Hz, as a hand does not move faster.
        public var period = TimeSpan.milliseconds(20)
        /// How often lines without a converter are retried.
        public var retryPeriod = TimeSpan.seconds(1)
        /// A reading that takes longer is a fault.
        public var longestReading = TimeSpan.seconds(1)
        /// How long `open` waits for the first samples.
        public var firstSamples = TimeSpan.milliseconds(500)
        /// Reads a sample; tests use another.
        var read = AnalogSampler.readFile

        /// Makes the options of a real machine.
        public init() {}
    }

    /// A line of the panel.
    struct Slot {
        var settings: LineSettings
        /// Names its channel at the sampler, also after a change of the lines.
        var key = -1
        var sampler: AnalogSampler?
        var isFaulty = false

        var channel: DeviceChannel? { settings.location.channel }
    }

    /// What waits here: at most a fault, a recovery and a sample of each line, twice.
    private static let capacity = 2048

    let options: Options
    var slots: [Slot] = []
    var queue = LineEventQueue(capacity: AnalogBackend.capacity)
    let search: BackgroundWork<AnalogSearch.Answer>
    private let bell: WakeUp?
    private var lastKey = 0
    /// When to look for converters that are missing or do not answer.
    private var nextLook = Instant.never

    /// Descriptors that become readable when `drain` has events.
    public private(set) var descriptors: [Int32] = []
    /// Changes with `descriptors`.
    public private(set) var descriptorGeneration: UInt32 = 0

    /// Makes a backend without lines.
    public init(options: Options = Options()) {
        self.options = options
        search = BackgroundWork(named: "detent-analog")
        bell = try? WakeUp()
    }

    deinit { close() }

    /// Whether a line is a channel of a converter.
    public static func takes(_ settings: LineSettings) -> Bool {
        settings.isAnalog
    }

    /// Finds the converters, and waits a moment for their first samples.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        close()
        slots = lines.map { Slot(settings: $0) }
        guard !slots.isEmpty else { return [] }
        let (wanted, refused) = unused(Array(slots.indices))
        let answer = AnalogSearch(folder: options.folder).connect(wanted)
        adopt(answer, isRestoring: false)
        awaitFirstSamples()
        return (refused + answer.failures + silent())
            .sorted { $0.slot < $1.slot }.map(\.error)
    }

    /// Waits a moment for the first samples; the next `drain` tells them.
    func awaitFirstSamples() {
        let end = MonotonicClock.now + options.firstSamples
        while let bell, MonotonicClock.now < end,
            !slots.allSatisfy({ $0.sampler?.isReady ?? true })
        {
            bell.wait(until: end)
            bell.clear()
        }
        bell?.ring()
    }

    /// The lines of converters that do not answer.
    private func silent() -> [(slot: Int, error: HALError)] {
        var errors: [(slot: Int, error: HALError)] = []
        for place in slots.indices {
            guard let sampler = slots[place].sampler, !sampler.isReady else { continue }
            slots[place].isFaulty = true
            errors.append(
                (
                    place,
                    .converterRefused(slots[place].settings, sampler.node, errno: ETIMEDOUT)
                ))
        }
        return errors
    }

    /// The lines to search for, without those whose channel another line has.
    func unused(
        _ places: [Int]
    ) -> (wanted: [AnalogSearch.Wanted], refused: [(slot: Int, error: HALError)]) {
        var wanted: [AnalogSearch.Wanted] = []
        var refused: [(slot: Int, error: HALError)] = []
        for place in places {
            let channel = slots[place].channel
            if let first = slots[..<place].first(where: { $0.channel == channel }) {
                refused.append((place, .channelUsedTwice(slots[place].settings, first.settings)))
            } else {
                wanted.append(AnalogSearch.Wanted(slot: place, settings: slots[place].settings))
            }
        }
        return (wanted, refused)
    }

    /// The next look at converters that are missing or do not answer; at once if events wait.
    public var deadline: Instant { queue.isEmpty ? nextLook : .zero }

    /// The sampler stamps its samples.
    public var stampsEdges: Bool { true }

    /// Moves the new samples into `buffer`, in the order of their stamps.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        guard !slots.isEmpty else { return 0 }
        bell?.clear()
        for place in slots.indices { lookForFailure(place) }
        for (place, sampler) in samplers() {
            guard queue.room > 2 * slots.count else { break }
            if slots[place].isFaulty, !sampler.isReady { continue }
            sampler.collect { news in report(news) }
        }
        if let answer = search.take() { adopt(answer, isRestoring: true) }
        if now >= nextLook { look(now: now) }
        return queue.pop(into: buffer)
    }

    /// A line has no level.
    public func read(_ line: LineID, now: Instant) -> LineReading? { nil }

    /// There are no outputs.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? { nil }

    /// Ends all threads, each after the reading that it is in.
    public func close() {
        search.giveUp()
        for (_, sampler) in samplers() { sampler.stop() }
        slots = []
        queue.removeAll()
        nextLook = .never
        listDescriptors()
    }

    // MARK: Samples

    private func report(_ news: AnalogSampler.News) {
        guard let place = slots.firstIndex(where: { $0.key == news.key }) else { return }
        if slots[place].isFaulty {
            slots[place].isFaulty = false
            put(place, .restored, at: news.at)
        }
        put(place, .sample(news.sample), at: news.at)
    }

    private func put(_ place: Int, _ kind: LineEvent.Kind, at: Instant) {
        queue.append(LineEvent(line: slots[place].settings.line, kind: kind, at: at))
    }

    /// Each sampler once, with the place of a line of it.
    func samplers() -> [(place: Int, sampler: AnalogSampler)] {
        var found: [(place: Int, sampler: AnalogSampler)] = []
        for place in slots.indices {
            guard let sampler = slots[place].sampler,
                !found.contains(where: { $0.sampler === sampler })
            else { continue }
            found.append((place, sampler))
        }
        return found
    }

    // MARK: Converters that come and go

    private func lookForFailure(_ place: Int) {
        guard let sampler = slots[place].sampler, let errno = sampler.failure else { return }
        slots[place].sampler = nil
        fail(place, errno: errno, at: MonotonicClock.now)
    }

    private func fail(_ place: Int, errno: Int32, at: Instant) {
        guard !slots[place].isFaulty else { return }
        slots[place].isFaulty = true
        put(place, .fault(errno: errno), at: at)
    }

    /// Looks at what is missing, and at readings that do not end.
    private func look(now: Instant) {
        nextLook = now + options.retryPeriod
        for place in slots.indices {
            guard let sampler = slots[place].sampler,
                sampler.isStuck(at: now, after: options.longestReading)
            else { continue }
            fail(place, errno: ETIMEDOUT, at: now)
            // The next sample restores the line.
            sampler.forget(key: slots[place].key)
        }
        let missing = slots.indices.filter { slots[$0].sampler == nil }
        guard !missing.isEmpty else { return }
        let wanted = unused(missing).wanted
        let folder = options.folder
        _ = search.start { AnalogSearch(folder: folder).connect(wanted) }
    }

    /// Takes over what a search has found.
    func adopt(_ answer: AnalogSearch.Answer, isRestoring: Bool) {
        for found in answer.found {
            guard slots.indices.contains(found.slot), slots[found.slot].sampler == nil else {
                continue
            }
            var sampler = slots.lazy.compactMap(\.sampler).first { $0.node == found.node }
            let isNew = sampler == nil
            if isNew, let bell {
                sampler = try? AnalogSampler(
                    node: found.node, bell: bell, period: options.period, read: options.read)
            }
            guard let sampler else { continue }
            lastKey += 1
            slots[found.slot].key = lastKey
            slots[found.slot].sampler = sampler
            sampler.add(
                found.file, key: lastKey, tolerance: slots[found.slot].channel?.tolerance ?? 0)
            if isNew, !sampler.start() { slots[found.slot].sampler = nil }
        }
        for place in slots.indices where slots[place].sampler == nil {
            if isRestoring { continue }
            slots[place].isFaulty = true
        }
        if nextLook == .never { nextLook = MonotonicClock.now + options.retryPeriod }
        listDescriptors()
    }

    private func listDescriptors() {
        let list = slots.isEmpty ? [] : [bell?.descriptor ?? -1, search.descriptor]
        guard list != descriptors else { return }
        descriptors = list
        descriptorGeneration &+= 1
    }
}

internal import CGPIOD
public import DetentHAL
internal import DetentPlatform
public import DetentTypes
internal import Glibc

/// Lines on Linux character devices, through libgpiod 1.6 or 2.x.
///
/// Lines are found by name, label or parent device, never by a chip's number. Polarity is applied
/// by the kernel. Under libgpiod 1.6 edges have no sequence numbers, and a batch that may have
/// overflowed the kernel's queue is followed by `overflow`. When a chip disappears, its lines
/// become faulty and the others continue. The backend searches for the chip when a device node
/// appears, and once a second.
///
/// Checks of exclusive access took a quarter of the instructions from an edge to its lamp
/// (Benchmarks/README.md). They are off for the properties on that path: all calls come from one
/// thread, and no property is accessed while another access to it lasts.
public final class GPIODBackend: GPIOBackend {
    /// Options in addition to the lines.
    public struct Options: Sendable {
        /// Where device nodes are searched.
        public var paths = DevicePaths()
        /// The consumer name that other programs see; 31 characters at most.
        public var consumer = "detent"
        /// Treats every chip as if its bus sleeps; for tests.
        public var treatsAllChipsAsSlow = false
        /// How often lines that could not be requested are retried. 1 s: a reconnected panel works
        /// again almost at once, and the cost is below 0.1 % of a processor.
        public var retryPeriod = TimeSpan.seconds(1)
        /// Told each line just before it is requested, at the start and after its chip reappeared;
        /// then from another thread. It must not wait.
        public var willRequest: (@Sendable (LinePlace) -> Void)?
        /// Told that lines which were requested do not rest at their level, once for a chip and a
        /// bias, at the start and when a chip appeared. It must not wait.
        public var willFloat: (@Sendable (PullRemark) -> Void)?
        /// Told when `close` has written the release levels and released the lines, if it had any.
        public var didRelease: (@Sendable () -> Void)?

        /// Makes the options of a real machine.
        public init() {}
    }

    /// Events that `drain` can hold back; more stay in the kernel's queues.
    static let pendingCapacity = 4096
    /// Jobs and results between the real-time thread and the worker thread.
    static let workerCapacity = 1024

    let options: Options
    @exclusivity(unchecked) var slots: [ManagedLine] = []
    /// The slot of a line, by its index in the plan; -1 for other lines.
    @exclusivity(unchecked) var slotOfLine: [Int32] = []
    @exclusivity(unchecked) var groups: [LineGroup] = []
    @exclusivity(unchecked) var polledLines: [PolledLines] = []
    @exclusivity(unchecked) var pending = SortedEventBuffer(capacity: GPIODBackend.pendingCapacity)
    /// The causes that `willFloat` was told.
    var toldPulls: Set<String> = []
    var monitor: DeviceMonitor?
    var worker: BlockingIOWorker?
    @exclusivity(unchecked) var pollTable: UnsafeMutableBufferPointer<pollfd> = .allocate(
        capacity: 0)
    let batch: UnsafeMutableBufferPointer<detent_gpio_edge>
    /// Whether `markReady` was called since the last drain.
    @exclusivity(unchecked) var isMarked = false
    /// Whether events of the last refill may still wait in the kernel.
    @exclusivity(unchecked) var hasMore = false
    /// Whether the last `drain` left events in the buffer.
    @exclusivity(unchecked) var hasLeftovers = false
    /// When lines that could not be requested are retried.
    @exclusivity(unchecked) var nextRetry = Instant.never
    /// The number of edges, readings and faults that were dropped because buffers were full; 0
    /// unless `drain` is not called.
    @exclusivity(unchecked) public internal(set) var lostEvents = 0

    /// Descriptors that become readable when `drain` has events.
    @exclusivity(unchecked) public internal(set) var descriptors: [Int32] = []
    /// Changes with `descriptors`.
    @exclusivity(unchecked) public internal(set) var descriptorGeneration: UInt32 = 0

    /// Makes a backend without lines.
    public init(options: Options = Options()) {
        self.options = options
        batch = .allocate(capacity: detent_gpio_batch_length())
    }

    deinit {
        close()
        batch.deallocate()
        pollTable.deallocate()
    }

    /// Finds and requests the lines; may wait for slow buses.
    ///
    /// An empty result means that every line works. Lines that failed are retried unless the panel
    /// file itself is the cause.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        close()
        slots = lines.map { ManagedLine($0) }
        let places = (lines.map { Int($0.line.index) }.max() ?? -1) + 1
        slotOfLine = Array(repeating: -1, count: places)
        for (slot, settings) in lines.enumerated() {
            slotOfLine[Int(settings.line.index)] = Int32(slot)
        }
        // This comes before the scan, so that no chip is missed.
        monitor = DeviceMonitor(folder: options.paths.devices, prefix: "gpiochip")
        let requester = LineRequester(
            paths: options.paths, consumer: options.consumer, willRequest: options.willRequest)
        let worker = BlockingIOWorker(requester: requester, capacity: Self.workerCapacity)
        self.worker = worker
        let connection = requester.connect(
            slots.indices.map {
                LineRequester.Wanted(
                    slot: $0, settings: slots[$0].settings, initial: slots[$0].level)
            })
        for failure in connection.failures {
            slots[failure.slot].isUnrecoverable = !failure.error.mayPass
        }
        install(connection, isRestoring: false)
        if slots.contains(where: \.isSlow) { worker.start() }
        scheduleRetry(now: MonotonicClock.now)
        return connection.failures.sorted { $0.slot < $1.slot }.map(\.error)
    }

    /// The earliest poll or retry; at once if events wait, such as a failed write.
    public var deadline: Instant {
        if !pending.isEmpty || hasMore { return .zero }
        var first = nextRetry
        for set in polledLines where set.next < first { first = set.next }
        return first
    }

    /// Marks a descriptor as readable, so that `drain` does not need to poll.
    public func markReady(_ index: Int) {
        guard pollTable.indices.contains(index) else { return }
        pollTable[index].revents = Int16(POLLIN)
        isMarked = true
    }

    /// Reads a level, with a timestamp just before the access; nil for slow and faulty lines.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        guard let slot = slot(of: line), let group = slots[slot].group else { return nil }
        if slots[slot].isFaulty { return nil }
        if slots[slot].isSlow {
            submit(.read, slot: slot, group: group)
            return nil
        }
        let at = MonotonicClock.now
        let level = group.level(at: slots[slot].place)
        guard level >= 0 else {
            fail(slot, errno: -level, at: at)
            return nil
        }
        return LineReading(level: Level(level == 1), at: at)
    }

    /// Drives an output with one system call, with a timestamp just after it; nil for slow and
    /// faulty lines.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        guard drive(line, level) else { return nil }
        return MonotonicClock.now
    }

    /// Drives an output with one system call, and reads no clock.
    public func show(_ line: LineID, _ level: Level, now: Instant) {
        _ = drive(line, level)
    }

    /// Drives an output; false for slow and faulty lines, and if it becomes faulty.
    private func drive(_ line: LineID, _ level: Level) -> Bool {
        guard let slot = slot(of: line), slots[slot].settings.isOutput else { return false }
        slots[slot].level = level
        // Not retained: nothing ends a request while its line is driven.
        guard let group = slots[slot].group.map(Unmanaged.passUnretained),
            !slots[slot].isFaulty
        else { return false }
        if slots[slot].isSlow {
            submit(.write(level), slot: slot, group: group.takeUnretainedValue())
            return false
        }
        let place = slots[slot].place
        let result = group._withUnsafeGuaranteedRef { $0.drive(level, at: place) }
        guard result >= 0 else {
            fail(slot, errno: -result, at: MonotonicClock.now)
            return false
        }
        return true
    }

    /// The kernel stamps edges.
    public var stampsEdges: Bool { true }

    /// Writes every output's release level, then releases the lines; waits for slow buses.
    public func close() {
        let hadLines = !slots.isEmpty
        worker?.stop()
        for slot in slots {
            if let group = slot.group, let level = slot.settings.releaseLevel {
                _ = group.drive(level, at: slot.place)
            }
        }
        worker = nil
        monitor = nil
        slots.removeAll()
        slotOfLine.removeAll()
        groups.removeAll()
        polledLines.removeAll()
        pending.removeAll()
        nextRetry = .never
        hasMore = false
        hasLeftovers = false
        isMarked = false
        if hadLines { options.didRelease?() }
        if !descriptors.isEmpty {
            descriptors = []
            descriptorGeneration &+= 1
        }
    }

    // MARK: Shared with the extensions

    func slot(of line: LineID) -> Int? {
        let index = Int(line.index)
        guard index < slotOfLine.count, slotOfLine[index] >= 0 else { return nil }
        return Int(slotOfLine[index])
    }

    func put(_ slot: Int, _ kind: LineEvent.Kind, at: Instant) {
        if !pending.append(LineEvent(line: slots[slot].line, kind: kind, at: at)) {
            lostEvents += 1
        }
    }

    /// Passes a job to the worker thread. If its queue is full, the line becomes faulty and is
    /// retried later.
    func submit(
        _ work: BlockingIOWorker.Work, slot: Int, group: LineGroup, isRetry: Bool = false
    ) {
        let job = BlockingIOWorker.Job(target: target(slot, group), work: work, isRetry: isRetry)
        if worker?.submit(job) != true { fail(slot, errno: ENOBUFS, at: MonotonicClock.now) }
    }

    func target(_ slot: Int, _ group: LineGroup) -> BlockingIOWorker.Target {
        BlockingIOWorker.Target(
            slot: slot, line: slots[slot].line, group: group, place: slots[slot].place)
    }
}

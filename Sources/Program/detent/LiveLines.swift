import DetentBench
import DetentDevices
import DetentGPIOD
import DetentHAL
import DetentPlatform
import DetentTypes

/// Inputs of this machine that a command watches, with their electrical levels.
///
/// Synchronization: none; one thread.
final class LiveLines {
    /// Why watching ended.
    enum End: Equatable {
        /// A signal, such as Ctrl-C.
        case signal
        /// The command has enough.
        case enough
    }

    /// The names of the lines, in the order of their places.
    let names: [String]
    /// The level of each line; nil until it was read.
    private(set) var levels: [Bool?]
    /// How many edges were lost for sure.
    private var lost = 0
    /// How often the kernel's queue may have been full, which loses edges.
    private var overflows = 0

    /// What was lost, or may have been; nil if every edge arrived.
    var loss: String? {
        if lost > 0 { return "at least \(lost) edges were lost" }
        return overflows > 0
            ? "edges may have been lost: the queue of the kernel was full \(overflows) times" : nil
    }

    /// The sample of each analog line; nil until it was read, and for all others.
    private(set) var samples: [Int32?]
    /// Called for each sample of an analog line: its place, the sample and the moment.
    var takeSample: ((Int, Int32, Instant) -> Void)?

    private let backend: any GPIOBackend
    private let settings: [LineSettings]
    private var sequences: [UInt32]

    /// - Parameter settings: inputs; `line` is their place in this list.
    init(_ settings: [LineSettings]) {
        self.settings = settings
        backend = ChannelSource.backend(for: settings, chips: GPIODBackend())
        names = settings.map(\.name)
        levels = Array(repeating: nil, count: settings.count)
        samples = levels.map { _ in nil }
        sequences = Array(repeating: 0, count: settings.count)
    }

    /// Requests the lines and reads them; the result has the lines that were refused.
    func open() -> [HALError] {
        let errors = backend.open(settings)
        _ = drain { _ in }
        return errors
    }

    /// Releases the lines.
    func close() { backend.close() }

    /// Watches until a signal arrives, or until `wake` returns nil.
    ///
    /// - Parameters:
    ///   - take: called for each edge, in order of time.
    ///   - wake: called after each wake-up with the time; returns when to wake again, or nil
    ///     to end.
    func watch(
        _ signals: SignalInbox, take: (LineEdge) throws -> Void,
        wake: (Instant) throws -> Instant?
    ) throws -> End {
        var set = PollSet(capacity: 256)
        var generation = backend.descriptorGeneration &- 1
        while true {
            // Edges first, so that `wake` sees all that happened until then.
            var failure: (any Error)?
            _ = drain { edge in
                guard failure == nil else { return }
                do { try take(edge) } catch { failure = error }
            }
            if let failure { throw failure }
            guard let next = try wake(MonotonicClock.now) else { return .enough }
            if generation != backend.descriptorGeneration {
                generation = backend.descriptorGeneration
                set.removeAll()
                _ = set.add(signals.descriptor)
                for descriptor in backend.descriptors { _ = set.add(descriptor) }
            }
            _ = set.wait(now: MonotonicClock.now, until: min(next, backend.deadline))
            if set.isReady(0), signals.pop() != nil {
                _ = drain { edge in try? take(edge) }
                return .signal
            }
        }
    }

    /// Passes on all edges that the kernel has; returns their number.
    private func drain(_ take: (LineEdge) -> Void) -> Int {
        withUnsafeTemporaryAllocation(of: LineEvent.self, capacity: 256) { buffer in
            var total = 0
            while true {
                let count = backend.drain(into: buffer, now: MonotonicClock.now)
                for event in buffer.prefix(count) { note(event, take) }
                total += count
                if count < buffer.count { return total }
            }
        }
    }

    private func note(_ event: LineEvent, _ take: (LineEdge) -> Void) {
        let place = Int(event.line.index)
        switch event.kind {
        case .edge(let level, let sequence):
            if sequence > 0, sequences[place] > 0 {
                lost += Int(sequence &- sequences[place] &- 1)
            }
            sequences[place] = sequence
            change(place, level, event.at, take)
        case .reading(let level): change(place, level, event.at, take)
        case .overflow:
            overflows += 1
            if let reading = backend.read(event.line, now: event.at) {
                change(place, reading.level, reading.at, take)
            }
        case .restored: sequences[place] = 0
        case .sample(let sample):
            samples[place] = sample
            takeSample?(place, sample, event.at)
        case .written, .fault: break
        }
    }

    private func change(
        _ place: Int, _ level: Level, _ at: Instant, _ take: (LineEdge) -> Void
    ) {
        let isHigh = (level == .active) != settings[place].isActiveLow
        let before = levels[place]
        levels[place] = isHigh
        guard let before, before != isHigh else { return }
        take(LineEdge(at: at, line: place, isHigh: isHigh))
    }
}

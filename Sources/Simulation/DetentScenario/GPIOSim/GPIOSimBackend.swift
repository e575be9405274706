import DetentHAL
import DetentPanel
internal import DetentTypes
import DetentWorld

/// A real backend whose lines are moved from outside.
///
/// The changes of the physical model are written to the simulated chips at their times, with one
/// write per line. The edges arrive through the kernel, with the kernel's timestamps. Outputs and
/// lamps are only read.
///
/// Synchronization: none; all calls on the loop's thread.
final class GPIOSimBackend: GPIOBackend {
    private let inner: any GPIOBackend
    private let plan: PanelPlan
    private let lines: [GPIOSimLine]
    private var world: PhysicalModel
    /// The loop must wake at this moment even if no line changes.
    var wakeAt = Instant.never
    /// A pull could not be written because the chip was removed.
    private(set) var hasLostChip = false

    /// Takes a backend that is not open, and the simulated side of every line of the plan.
    init(_ inner: any GPIOBackend, plan: PanelPlan, lines: [GPIOSimLine], world: PhysicalModel) {
        self.inner = inner
        self.plan = plan
        self.lines = lines
        self.world = world
    }

    /// The next moment at which the model changes a line; `never` if all is at rest.
    var nextChange: Instant { world.nextChange }

    /// Begins a gesture.
    func apply(_ gesture: Gesture, at moment: Instant) throws(GestureError) {
        move(until: moment)
        try world.apply(gesture, at: moment)
    }

    /// Whether a lamp or an output is driven active, as measured from outside.
    func isActive(_ line: LineID) -> Bool {
        let place = Int(line.index)
        guard lines.indices.contains(place), let isHigh = lines[place].isHigh else { return false }
        return isHigh != plan.lines[place].isActiveLow
    }

    func open(_ lines: [LineSettings]) -> [HALError] {
        let errors = inner.open(lines)
        // A request with a bias changes the simulated pull, so the positions of levers are written
        // again.
        for (place, line) in plan.lines.enumerated() {
            guard case .contact = line.use else { continue }
            let level = world.level(of: LineID(UInt16(place)))
            pull(place, isHigh: (level == .active) != line.isActiveLow)
        }
        return errors
    }

    var descriptors: [Int32] { inner.descriptors }
    var descriptorGeneration: UInt32 { inner.descriptorGeneration }
    func markReady(_ index: Int) { inner.markReady(index) }
    var deadline: Instant { min(inner.deadline, min(world.nextChange, wakeAt)) }

    func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        move(until: now)
        return inner.drain(into: buffer, now: now)
    }

    func read(_ line: LineID, now: Instant) -> LineReading? { inner.read(line, now: now) }

    func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        inner.write(line, level, now: now)
    }

    func adjust(_ line: LineID, to strength: Strength, now: Instant) {
        inner.adjust(line, to: strength, now: now)
    }

    func close() { inner.close() }

    private func move(until moment: Instant) {
        world.advance(to: moment) { pull(Int($0.line.index), isHigh: $0.isHigh) }
    }

    private func pull(_ place: Int, isHigh: Bool) {
        if !lines[place].pull(isHigh: isHigh) { hasLostChip = true }
    }
}

import DetentCore
public import DetentHAL
public import DetentHALTesting
public import DetentTypes
public import DetentWorld

@testable import DetentPanel

/// The contract's physical side on a simulated chip, with a clock of its own: no test waits.
///
/// Every look at the clock moves it by a microsecond, so that stamps differ. Nothing in it is left
/// out: the simulated chip has counts, bias, other programs, and can be taken away.
///
/// Synchronization: none; one thread at a time.
public final class SimulatedDriver: LineDriver {
    /// How many lines the chip has.
    public static let lines = 8
    /// The backend below whatever `wrap` puts around it.
    public let backend: SimulatedBackend
    private let wrap: (any GPIOBackend) -> any GPIOBackend
    private var clock = Instant(nanoseconds: 1_000_000_000)

    /// A chip whose lines are all low.
    ///
    /// - Parameter wrap: what `makeBackend` puts around the backend, such as a decorator.
    public init(wrap: @escaping (any GPIOBackend) -> any GPIOBackend = { $0 }) {
        self.wrap = wrap
        let plan = PanelPlan(
            name: "Contract",
            lines: (0..<Self.lines).map {
                LinePlan(
                    name: "SIM\($0)", control: ControlID(0),
                    use: .contact(ContactPlan(bias: .asIs, debounce: .none)),
                    isActiveLow: false, lineNames: ["SIM\($0)"], chipLabels: ["simulated"])
            })
        backend = SimulatedBackend(PhysicalModel(plan, seed: 1, bounce: .all(.none), at: clock))
    }

    /// Where the lines are, by name and chip.
    public var locations: [LineLocation] {
        (0..<Self.lines).map { LineLocation(lineNames: ["SIM\($0)"], chipLabels: ["simulated"]) }
    }

    /// It counts edges.
    public var countsEdges: Bool { true }
    /// Its resistors work.
    public var hasBias: Bool { true }
    /// As long as a wait takes at least.
    public var stampTolerance: TimeSpan { .milliseconds(1) }

    /// The clock, a microsecond further with each look.
    public var now: Instant {
        clock = clock + .microseconds(1)
        return clock
    }

    /// Always the one backend of this chip: where it was not closed, its lines are not free.
    public func makeBackend() -> any GPIOBackend { wrap(backend) }

    /// Holds a line high or low.
    public func set(line: Int, high: Bool) {
        backend.drive(LineID(UInt16(line)), isHigh: high, at: now)
    }

    /// Whether an output is driven high.
    public func isHigh(line: Int) -> Bool { backend.isDrivenHigh(LineID(UInt16(line))) }

    /// The level at which a line was given back; nil where it never was.
    public func wasHighWhenReleased(line: Int) -> Bool? {
        backend.wasReleasedHigh(LineID(UInt16(line)))
    }

    /// Lets the clock go on, as far as nothing happens.
    public func wait(for backend: any GPIOBackend, until moment: Instant) {
        // A millisecond at least, so that a backend that is always due does not stop the clock.
        if self.backend.hasEvents { return }
        clock = max(clock + .milliseconds(1), min(moment, backend.deadline))
    }

    /// Another program takes a line.
    public func hold(line: Int) -> String? {
        backend.hold(LineID(UInt16(line)), by: "other-program")
        return "other-program"
    }

    /// The other program gives the line back.
    public func release(line: Int) { backend.release(LineID(UInt16(line)), at: now) }

    /// Takes the chip away.
    public func unplug() -> Bool {
        let moment = now
        for line in 0..<UInt16(Self.lines) { backend.unplug(LineID(line), at: moment) }
        return true
    }

    /// Puts the chip back, all lines low.
    public func plug() {
        let moment = now
        for line in 0..<UInt16(Self.lines) {
            backend.drive(LineID(line), isHigh: nil, at: moment)
            backend.replug(LineID(line), at: moment)
        }
    }
}

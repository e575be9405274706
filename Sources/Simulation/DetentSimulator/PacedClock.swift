import DetentTypes

/// The clock of a simulated panel: real time at an adjustable rate, or paused.
///
/// It reads no clock: real moments are passed in.
struct PacedClock: Equatable {
    private(set) var isRunning = true
    /// Thousandths of real speed.
    private(set) var rate = 1_000
    /// A real moment, and the panel's moment at that time.
    private var real: Instant
    private var own = Instant.zero

    /// Makes a clock that begins at 0 now.
    init(startedAt real: Instant) {
        self.real = real
    }

    /// The panel's moment at a real moment; for a paused clock, the moment where it stops.
    func moment(at now: Instant) -> Instant {
        guard isRunning else { return own }
        let product = (now - real).nanoseconds.multipliedFullWidth(by: UInt64(rate))
        guard product.high < 1_000 else { return .never }
        return own + TimeSpan(nanoseconds: UInt64(1_000).dividingFullWidth(product).quotient)
    }

    /// The first real moment at which the panel's moment is not earlier than this; `never` if the
    /// clock is paused before it.
    func realMoment(of moment: Instant) -> Instant {
        if moment <= own { return .zero }
        guard isRunning, moment != .never else { return .never }
        let speed = UInt64(rate)
        var product = (moment - own).nanoseconds.multipliedFullWidth(by: 1_000)
        let (low, overflow) = product.low.addingReportingOverflow(speed - 1)
        product = (product.high + (overflow ? 1 : 0), low)
        guard product.high < speed else { return .never }
        return real + TimeSpan(nanoseconds: speed.dividingFullWidth(product).quotient)
    }

    /// Continues from a moment of the panel.
    mutating func set(at now: Instant, to moment: Instant) {
        real = now
        own = moment
    }

    mutating func run(at now: Instant, from moment: Instant) {
        set(at: now, to: moment)
        isRunning = true
    }

    mutating func pause(at now: Instant, on moment: Instant) {
        set(at: now, to: moment)
        isRunning = false
    }

    mutating func setRate(_ rate: Int, at now: Instant, on moment: Instant) {
        if isRunning { set(at: now, to: moment) }
        self.rate = rate
    }
}

public import DetentTypes

/// What may go wrong in a run.
public struct SoakTrouble: Equatable, Sendable {
    /// Edges vanish, and the process sleeps while its short queue overflows.
    public var losesEdges = false
    /// The process restarts in order, and power fails.
    public var restarts = false
    /// The panel follows its own file, and some controls start again.
    public var reloads = false
    /// Actions are slow, fail, hang, get lost and end out of order.
    public var breaksActions = false
    /// One attempt fails at a random moment; values then need not follow parts.
    public var failsOnce = false
    /// Contacts stick, wires break and chips go away.
    public var breaksWires = false
    /// Contacts bounce longer than debounce times; detents of encoders are then not counted.
    public var isHostile = false
    /// The process wakes only at multiples of this; zero: whenever something is due.
    public var wakeEvery = TimeSpan.zero
    /// Buttons are pressed long enough for a hold.
    public var holds = true
    /// Requests from outside, feedback and gestures arrive at the same instant.
    public var races = false

    /// Nothing goes wrong.
    public init(
        losesEdges: Bool = false, restarts: Bool = false, reloads: Bool = false,
        breaksActions: Bool = false, breaksWires: Bool = false
    ) {
        self.losesEdges = losesEdges
        self.restarts = restarts
        self.reloads = reloads
        self.breaksActions = breaksActions
        self.breaksWires = breaksWires
    }

    /// Each seed has its own mixture, because some faults hide others.
    public init(seed: UInt64) {
        var random = SplitMix64(seed: seed, stream: 3_000)
        losesEdges = random.chance(percent: 40)
        restarts = random.chance(percent: 40)
        breaksActions = random.chance(percent: 60)
        breaksWires = random.chance(percent: 40)
        isHostile = random.chance(percent: 30)
        failsOnce = breaksActions && random.chance(percent: 30)
        races = random.chance(percent: 50)
        let late: [TimeSpan] = [.zero, .zero, .microseconds(700), .milliseconds(13)]
        wakeEvery = late[Int(random.below(UInt64(late.count)))]
        reloads = random.chance(percent: 40)
    }

    /// The mixture in words, for people.
    public var text: String {
        let words: [(Bool, String)] = [
            (losesEdges, "lost edges"), (restarts, "restarts"), (reloads, "reloads"),
            (breaksActions, "broken actions"), (failsOnce, "single failures"),
            (breaksWires, "broken wires"), (isHostile, "hostile bounce"), (races, "races"),
            (wakeEvery != .zero, "late wake-ups"),
        ]
        let on = words.filter(\.0).map(\.1)
        return on.isEmpty ? "no trouble" : on.joined(separator: ", ")
    }
}

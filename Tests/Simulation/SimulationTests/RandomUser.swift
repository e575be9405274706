import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

/// Somebody who throws one lever at random moments, on contacts that bounce at random.
struct RandomUser {
    let runner: VirtualRunner
    private let backend: SimulatedBackend
    private var random: SplitMix64
    private var position = 0
    private static let lever = ControlID(0)

    init(
        seed: UInt64, plan: PanelPlan, queue: Int? = nil, wakeEvery: TimeSpan = .zero
    ) throws {
        random = SplitMix64(seed: seed, stream: 1_000)
        let profile = BounceProfile(
            closes: random.spread(from: .microseconds(100), to: .milliseconds(8)), tail: 20,
            cleanCloses: 10)
        let world = PhysicalModel(plan, seed: seed, bounce: .all(profile))
        backend = SimulatedBackend(world, queue: queue)
        runner = try VirtualRunner(plan, backend: backend, wakeEvery: wakeEvery)
    }

    /// Several throws, often faster than the contacts settle.
    mutating func burst(losing: Bool = false) throws {
        for _ in 0...random.below(6) {
            if losing, random.chance(percent: 40) {
                backend.loseEdges(of: LineID(0), count: Int(random.below(4)))
            }
            try flip()
            let pause = random.spread(from: .microseconds(50), to: .milliseconds(60))
            if losing, random.chance(percent: 30) {
                // The process sleeps, and the queue is short.
                backend.advance(to: runner.now + pause)
            }
            runner.run(until: runner.now + pause)
        }
    }

    mutating func flip() throws {
        position = 1 - position
        try backend.apply(.flip(Self.lever, to: position), at: runner.now)
    }

    /// Longer than any bounce and any debounce time, to a moment at which every process is awake.
    mutating func quiet() {
        let second = TimeSpan.seconds(1).nanoseconds
        runner.run(
            until: Instant(nanoseconds: (runner.now.nanoseconds / second + 2) * second))
    }

    /// What is wrong with the run so far, at a quiet moment; nil if nothing is.
    func violation(in entries: [VirtualRecord.Entry]? = nil) -> String? {
        let entries = entries ?? runner.record.entries
        var told = Value.off
        var at = Instant.zero
        for entry in entries {
            if entry.at < at { return "time goes back at \(entry.at)" }
            at = entry.at
            guard case .moved(let position) = entry.report.kind else { continue }
            if position == told { return "\(position) twice at \(entry.at)" }
            told = position
        }
        let contact = Value(Int32(position))
        if told != contact { return "told \(told), the contact is \(contact)" }
        let snapshot = runner.snapshot(of: Self.lever)
        if snapshot?.position != contact { return "the engine has \(String(describing: snapshot))" }
        if snapshot?.desired != contact { return "the value is not the position" }
        return nil
    }
}

public import DetentCore
package import DetentHAL
public import DetentPanel
import DetentScenario
public import DetentTypes

/// One seed on one panel: a random user, faults, and a checker that looks after each step.
public struct Soak: Sendable {
    /// The panel.
    public let plan: PanelPlan
    /// The seed, which decides everything.
    public let seed: UInt64
    /// What goes wrong.
    public let trouble: SoakTrouble
    /// Rounds of a run; each ends with rest.
    public var rounds = 3
    /// Gestures and faults of each round.
    public var gestures = 40

    /// Stands between the panel and its lines; tests plant faults there.
    package var disguise: Disguise?

    /// Makes lines that lie from lines that do not.
    package typealias Disguise = @Sendable (any GPIOBackend) -> any GPIOBackend

    /// A run that broke a law.
    public struct Failure: Equatable, Sendable {
        /// The first violation.
        public var violation: InvariantChecker.Violation
        /// The steps up to it.
        public var steps: [SoakStep]
    }

    /// The figures of a run that broke none.
    public struct Figures: Equatable, Sendable {
        /// Steps performed.
        public var steps = 0
        /// Edges that contacts made, before debounce.
        public var edges = 0
        /// Time that passed for the panel.
        public var duration = TimeSpan.zero

        /// Nothing yet.
        public init() {}
    }

    /// Makes the run of a seed with its own mixture of troubles, or with a given one.
    public init(_ plan: PanelPlan, seed: UInt64, trouble: SoakTrouble? = nil) {
        self.plan = plan
        self.seed = seed
        self.trouble = trouble ?? SoakTrouble(seed: seed)
    }

    /// Runs until a law is broken or all rounds are done.
    ///
    /// - Throws: `EngineError` if the plan exceeds a limit of the engine.
    public func run() throws(EngineError) -> (failure: Failure?, figures: Figures) {
        var user = SoakUser(seed: seed, plan: plan, trouble: trouble)
        var steps: [SoakStep] = []
        for _ in 0..<rounds { steps += user.round(gestures) }
        return try play(steps)
    }

    /// Plays steps until a law is broken.
    func play(_ steps: [SoakStep]) throws(EngineError) -> (failure: Failure?, figures: Figures) {
        var run = try SoakRun(
            seed: seed, plan: plan, trouble: trouble, disguise: disguise)
        var checker = InvariantChecker(plan)
        var figures = Figures()
        for (place, step) in steps.enumerated() {
            try run.play(step)
            figures.steps += 1
            for entry in run.history { checker.observe(entry) }
            run.forget()
            guard let violation = checker.violations.first else { continue }
            return (Failure(violation: violation, steps: Array(steps[...place])), figures)
        }
        figures.edges = run.edgeCount
        figures.duration = run.runner.now - .zero
        return (nil, figures)
    }
}

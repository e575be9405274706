package import DetentCore
package import DetentTypes

/// Everything that went into the engine of a run, and everything that came out of it, in order.
///
/// Another machine that is given the same inputs must give the same effects, byte for byte.
package final class EngineTape {
    /// The events with their moments; nil where the process ended and an engine began anew.
    package private(set) var inputs: [(event: Event?, at: Instant)] = []
    /// The effects with their moments.
    package private(set) var effects: [(effect: Effect, at: Instant)] = []

    package init() {}

    func add(_ event: Event?, at moment: Instant) { inputs.append((event, moment)) }

    func add(_ effect: Effect, at moment: Instant) { effects.append((effect, moment)) }
}

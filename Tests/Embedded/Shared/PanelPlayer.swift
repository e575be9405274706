import DetentCore
import DetentTypes

/// Plays a recorded script to the engine of a compiled panel, the same on every machine.
///
/// Nothing here allocates: the engine lives in the buffer that is given.
enum PanelPlayer {
    /// What came of it.
    enum Outcome: UInt32 {
        case played = 0
        /// These are not the bytes of a panel.
        case noPanel = 1
        /// The buffer is too small.
        case noRoom = 2
        /// The bytes of the panel are damaged.
        case damagedPanel = 3
        /// The bytes of the script are damaged.
        case damagedScript = 4
        /// The panel was compiled for another version of the core; compile it again.
        case otherVersion = 5
    }

    /// Bytes of the engine that a panel needs; 0 if these are not the bytes of a panel.
    static func byteCount(of panel: UnsafeRawBufferPointer) -> Int {
        PanelImage.capacity(of: panel).map { Engine.byteCount(for: $0) } ?? 0
    }

    /// Plays the script, and hands every effect to `put` byte by byte.
    ///
    /// - Parameter wait: returns when the clock of the machine has reached a moment. It may return
    ///   late: deadlines and inputs carry their own moments.
    static func play(
        _ panel: UnsafeRawBufferPointer, _ script: UnsafeRawBufferPointer,
        arena: UnsafeMutableRawBufferPointer, wait: (Instant) -> Void, put: (UInt8) -> Void
    ) -> Outcome {
        if PanelImage.isOfOtherVersion(panel) { return .otherVersion }
        guard let capacity = PanelImage.capacity(of: panel) else { return .noPanel }
        guard arena.count >= Engine.byteCount(for: capacity) else { return .noRoom }
        var engine = Engine(capacity: capacity, storage: arena)
        guard PanelImage.fill(&engine, from: panel) else { return .damagedPanel }
        var script = ScriptImage(script)
        while let (input, at) = script.next() {
            while engine.nextDeadline < at {
                let due = engine.nextDeadline
                wait(due)
                handle(.tick, at: due, by: &engine, put)
            }
            wait(at)
            switch input {
            case .event(let event):
                handle(event, at: at, by: &engine, put)
            case .restart:
                engine = Engine(capacity: capacity, storage: arena)
                guard PanelImage.fill(&engine, from: panel) else { return .damagedPanel }
            }
        }
        return script.isWhole ? .played : .damagedScript
    }

    /// Gives an event to an engine, and hands every effect to `put` byte by byte.
    ///
    /// The one place that does so: the optimizer copies the whole core for each closure that it is
    /// given.
    @inline(never)
    static func handle(
        _ event: Event, at now: Instant, by engine: inout Engine, _ put: (UInt8) -> Void
    ) {
        engine.handle(event, at: now) { EffectBytes.write($0, $1, put) }
    }
}

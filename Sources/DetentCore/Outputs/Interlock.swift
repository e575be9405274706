import DetentTypes

/// Brings the outputs of one control to what is wanted, one transition after another.
///
/// It counts from what was really written, not from what was asked for: an output is on from the
/// moment at which it is told to go on until the stamp of its off has come back. So a write that
/// fails, a slow chip or a process that stands still can only make a break longer, never make two
/// outputs on. The last request wins, however many came meanwhile. Outputs are bits, at most 32.
///
///     breakBeforeMake:  off told ──all offs written──▶ dead time ──▶ on told
///     makeBeforeBreak:  on told ──on written──▶ off told
struct Interlock: Equatable, BitwiseCopyable {
    /// What to drive now; offs come first.
    struct Drive: Equatable, BitwiseCopyable {
        var off: UInt32 = 0
        var on: UInt32 = 0

        var isEmpty: Bool { off | on == 0 }
    }

    private var wanted: UInt32 = 0
    /// Outputs that are on, or that nobody has seen go off.
    private(set) var on: UInt32 = 0
    /// Told to go off; the stamp has not come yet.
    private var breaking: UInt32 = 0
    /// Told to go on; the stamp has not come yet.
    private var making: UInt32 = 0
    /// When the last off was written, or the process began.
    private var clearSince = Instant.zero
    private let transition: OutputTransition

    init(_ transition: OutputTransition) {
        self.transition = transition
    }

    /// When `deadlineReached` wants to be called: the end of a dead time that something waits for.
    var deadline: Instant {
        guard case .breakBeforeMake(let deadTime) = transition, isClear, wanted & ~on != 0 else {
            return .never
        }
        return clearSince + deadTime
    }

    /// Outputs as they are told to be at this moment.
    var driven: UInt32 { on & ~breaking }

    /// The process begins: all outputs are off, and were so only since now as far as anybody knows.
    mutating func start(at now: Instant) {
        clearSince = now
    }

    /// Other outputs are wanted.
    mutating func request(_ outputs: UInt32, at now: Instant) -> Drive {
        wanted = outputs
        return advance(at: now)
    }

    /// An output was really written.
    mutating func written(_ output: UInt32, _ level: Level, at now: Instant) -> Drive {
        switch level {
        case .active:
            making &= ~output
        case .inactive:
            guard breaking & output != 0 else { return Drive() }
            breaking &= ~output
            on &= ~output
            clearSince = max(clearSince, now)
        }
        return advance(at: now)
    }

    /// The dead time is over.
    mutating func deadlineReached(at now: Instant) -> Drive {
        advance(at: now)
    }

    /// Nothing is on that is not wanted, and nothing is on its way off.
    private var isClear: Bool { breaking == 0 && on & ~wanted == 0 }

    private mutating func advance(at now: Instant) -> Drive {
        var drive = Drive()
        switch transition {
        case .none:
            drive = Drive(off: on & ~wanted, on: wanted & ~on)
            on = wanted
        case .breakBeforeMake(let deadTime):
            drive.off = breakOff(on & ~wanted)
            if isClear, now >= clearSince + deadTime { drive.on = make(wanted & ~on) }
        case .makeBeforeBreak:
            drive.on = make(wanted & ~on)
            if making & wanted == 0, breaking & wanted == 0 { drive.off = breakOff(on & ~wanted) }
        }
        return drive
    }

    private mutating func breakOff(_ outputs: UInt32) -> UInt32 {
        let new = outputs & ~breaking
        breaking |= new
        return new
    }

    private mutating func make(_ outputs: UInt32) -> UInt32 {
        on |= outputs
        making |= outputs
        return outputs
    }
}

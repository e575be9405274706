import DetentTypes

/// Brings the outputs of one control to what is wanted, one transition after another.
///
/// It counts from what was really written, not from what was asked for: an output is on from the
/// moment at which it is told to go on until the stamp of its off has come back. So a write that
/// fails, a slow chip or a process that stands still can only make a break longer, never make two
/// outputs on. The last request wins, however many came meanwhile. Outputs are bits, at most 32.
///
/// With a pulse an output that is newly wanted goes on once, for so long, and one after another
/// where several are: coils of latching relays and point motors stand no more.
///
///     breakBeforeMake:  off told ──all offs written──▶ dead time ──▶ on told
///     makeBeforeBreak:  on told ──on written──▶ off told
///     with a pulse:     on told ──on written──▶ pulse ──▶ off told
struct Interlock: Equatable, BitwiseCopyable {
    /// What to drive now; offs come first.
    struct Drive: Equatable, BitwiseCopyable {
        var off: UInt32 = 0
        var on: UInt32 = 0

        var isEmpty: Bool { off | on == 0 }
    }

    private var wanted: UInt32 = 0
    /// Outputs that are on, or whose off has not been written yet.
    private(set) var on: UInt32 = 0
    /// Told to go off; the stamp has not come yet.
    private var breaking: UInt32 = 0
    /// Told to go on; the stamp has not come yet.
    private var making: UInt32 = 0
    /// When the last off was written, or the process began.
    private var clearSince = Instant.zero
    private let transition: OutputTransition
    /// How long an output stays on after its write; zero: as long as it is wanted.
    private let pulse: TimeSpan
    /// Wanted outputs that have had their pulse.
    private var spent: UInt32 = 0
    private var pulseEnds = Instant.never

    init(_ transition: OutputTransition, pulse: TimeSpan = .zero) {
        self.transition = transition
        self.pulse = pulse
    }

    /// When `deadlineReached` wants to be called: the end of a pulse, or of a dead time that
    /// something waits for.
    var deadline: Instant {
        guard case .breakBeforeMake(let deadTime) = transition, isClear, target & ~on != 0 else {
            return pulseEnds
        }
        return min(pulseEnds, clearSince + deadTime)
    }

    /// Outputs as they are told to be at this moment.
    var driven: UInt32 { on & ~breaking }

    /// Whether these outputs have been written on, or have had their pulse, and no other is on.
    func isWritten(_ outputs: UInt32) -> Bool {
        let due = outputs & ~spent
        return breaking == 0 && on & ~outputs == 0 && due & (making | ~on) == 0
    }

    /// The process begins: all outputs are off, and may have been on until now.
    mutating func start(at now: Instant) {
        clearSince = now
    }

    /// Other outputs are wanted.
    mutating func request(_ outputs: UInt32, at now: Instant) -> Drive {
        wanted = outputs
        spent &= outputs
        return advance(at: now)
    }

    /// An output was really written.
    mutating func written(_ output: UInt32, _ level: Level, at now: Instant) -> Drive {
        switch level {
        case .active:
            making &= ~output
            if pulse != .zero, driven & output != 0 { pulseEnds = now + pulse }
        case .inactive:
            guard breaking & output != 0 else { return Drive() }
            breaking &= ~output
            on &= ~output
            clearSince = max(clearSince, now)
        }
        return advance(at: now)
    }

    /// The dead time or the pulse is over.
    mutating func deadlineReached(at now: Instant) -> Drive {
        if pulseEnds <= now { spent |= driven }
        return advance(at: now)
    }

    /// The outputs that should be on now.
    private var target: UInt32 {
        let due = wanted & ~spent
        guard pulse != .zero else { return due }
        let begun = on & due
        return begun != 0 ? begun : due & (~due &+ 1)
    }

    /// Nothing is on that should not be, and nothing is on its way off.
    private var isClear: Bool { breaking == 0 && on & ~target == 0 }

    private mutating func advance(at now: Instant) -> Drive {
        let target = target
        var drive = Drive()
        switch transition {
        case .none:
            drive = Drive(off: on & ~target, on: target & ~on)
            on = target
        case .breakBeforeMake(let deadTime):
            drive.off = breakOff(on & ~target)
            if isClear, now >= clearSince + deadTime { drive.on = make(target & ~on) }
        case .makeBeforeBreak:
            drive.on = make(target & ~on)
            if making & target == 0, breaking & target == 0 { drive.off = breakOff(on & ~target) }
        }
        if driven == 0 { pulseEnds = .never }
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

public import DetentTypes

/// How a line's edges become the level of a contact: glitch filter, then algorithm, then lockout.
public struct DebounceSettings: Equatable, Sendable, BitwiseCopyable {
    /// The named algorithms.
    public enum Algorithm: Equatable, Sendable, BitwiseCopyable {
        /// Every edge is reported.
        case none
        /// Reports at once, then ignores the line for `time`, then corrects the level.
        case eager(time: TimeSpan, window: EagerWindow)
        /// Reports a level once the line has held it unbroken for `time`.
        case `defer`(time: TimeSpan)
        /// Reports a press at once and then nothing for `press`; reports a release once the line
        /// has been inactive unbroken for `release`, and not before that lock ends.
        case asymmetric(press: TimeSpan, release: TimeSpan)
        /// Looks at the line every `sample`, counts for and against, and reports when the count
        /// reaches `samples` or nought. `samples` is at least 1, `sample` more than zero.
        case integrator(sample: TimeSpan, samples: UInt16)
    }

    /// What restarts the time of `eager`.
    public enum EagerWindow: Equatable, Sendable, BitwiseCopyable {
        /// The line must have been quiet for the time: every edge restarts it.
        case restart
        /// The time counts from the edge that was reported.
        case fixed
    }

    /// What makes a contact of the edges that the glitch filter lets through.
    public var algorithm: Algorithm
    /// Pulses shorter than this are dropped, and restart nothing; zero drops none.
    public var glitch: TimeSpan
    /// Presses within this time of the last reported press are refused; releases never are.
    public var lockout: TimeSpan

    /// Makes the settings of one line.
    public init(
        algorithm: Algorithm = .none, glitch: TimeSpan = .zero, lockout: TimeSpan = .zero
    ) {
        self.algorithm = algorithm
        self.glitch = glitch
        self.lockout = lockout
    }

    /// Every edge counts: for encoders and selectors, whose decoders filter by structure.
    public static var none: DebounceSettings { DebounceSettings() }
    /// The default of push buttons; 5 ms is that of Linux gpio-keys and of QMK.
    public static var button: DebounceSettings {
        DebounceSettings(
            algorithm: .eager(time: .milliseconds(5), window: .restart),
            glitch: .microseconds(100))
    }
    /// The default of levers.
    public static var lever: DebounceSettings {
        DebounceSettings(algorithm: .defer(time: .milliseconds(20)))
    }

    /// How long a line must have been without an edge to be called quiet.
    var quietTime: TimeSpan {
        switch algorithm {
        case .none: glitch
        case .eager(let time, _), .defer(let time): time + glitch
        case .asymmetric(let press, let release): max(press, release) + glitch
        case .integrator(let sample, let samples): sample * UInt64(samples) + glitch
        }
    }
}

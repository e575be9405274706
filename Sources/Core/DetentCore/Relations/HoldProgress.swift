import DetentTypes

/// How far a hold is that will act, for display. Whether it acts is the decoder's to say.
struct HoldProgress: Equatable, BitwiseCopyable {
    /// 1 to 10 tenths while the button is down; 0: nothing is shown.
    private(set) var tenth: UInt8 = 0
    private var every = TimeSpan.zero
    private(set) var deadline = Instant.never

    /// The button went down.
    mutating func begin(_ time: TimeSpan, at now: Instant) {
        // A tenth, as 102/1024: 64-bit division needs a library on small processors.
        every = TimeSpan(nanoseconds: max(1, (time.nanoseconds >> 10) &* 102))
        tenth = 1
        deadline = now + every
    }

    /// A tenth of the time is over; the percents to tell, or nil if nothing is shown.
    mutating func deadlineReached() -> UInt8? {
        guard tenth != 0 else { return nil }
        let percent = tenth &* 10
        tenth &+= 1
        deadline = tenth < Confirmation.tenths ? deadline + every : .never
        return percent
    }

    /// The button is up, or the hold has come; false where nothing was shown.
    mutating func end() -> Bool {
        defer { self = HoldProgress() }
        return tenth != 0
    }
}

// The arithmetic of times, which has operands of two types.
public import DetentTypes

/// A sum; without its right side.
@_transparent public func mutantPlus(_ number: Int32, _ a: Instant, _ b: TimeSpan) -> Instant {
    mutant(number) ? a : a + b
}

/// A sum; without its right side.
@_transparent public func mutantPlus(_ number: Int32, _ a: TimeSpan, _ b: TimeSpan) -> TimeSpan {
    mutant(number) ? a : a + b
}

/// A distance; zero.
@_transparent public func mutantMinus(_ number: Int32, _ a: Instant, _ b: Instant) -> TimeSpan {
    mutant(number) ? .zero : a - b
}

/// A multiple; once.
@_transparent public func mutantTimes(_ number: Int32, _ a: TimeSpan, _ b: UInt64) -> TimeSpan {
    mutant(number) ? a : a * b
}

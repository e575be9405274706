// What the maker writes into the copy of the sources. Each comment names the original, and then the
// mutant. Operands are evaluated as the original does it. The functions are transparent, because
// generics make a debug build slow.
@_exported import CMutant

/// The value; its opposite.
@_transparent public func mutantNot(_ number: Int32, _ value: Bool) -> Bool {
    mutant(number) != value
}

/// `&&`; `||`.
@_transparent public func mutantAnd(
    _ number: Int32, _ left: Bool, _ right: @autoclosure () throws -> Bool
) rethrows -> Bool {
    if mutant(number) { return left ? true : try right() }
    return left ? try right() : false
}

/// `||`; `&&`.
@_transparent public func mutantOr(
    _ number: Int32, _ left: Bool, _ right: @autoclosure () throws -> Bool
) rethrows -> Bool {
    if mutant(number) { return left ? try right() : false }
    return left ? true : try right()
}

/// `<`; `<=`.
@_transparent public func mutantLess<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    mutant(number) ? a <= b : a < b
}

/// `<=`; `<`.
@_transparent public func mutantAtMost<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    mutant(number) ? a < b : a <= b
}

/// `>`; `>=`.
@_transparent public func mutantMore<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    mutant(number) ? a >= b : a > b
}

/// `>=`; `>`.
@_transparent public func mutantAtLeast<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    mutant(number) ? a > b : a >= b
}

/// `+`; `-`.
@_transparent public func mutantPlus<T: AdditiveArithmetic>(
    _ number: Int32, _ a: T, _ b: T
) -> T {
    mutant(number) ? a - b : a + b
}

/// `-`; `+`.
@_transparent public func mutantMinus<T: AdditiveArithmetic>(
    _ number: Int32, _ a: T, _ b: T
) -> T {
    mutant(number) ? a + b : a - b
}

/// `&+`; `&-`.
@_transparent public func mutantPlusWrapping<T: FixedWidthInteger>(
    _ number: Int32, _ a: T, _ b: T
) -> T {
    mutant(number) ? a &- b : a &+ b
}

/// `&-`; `&+`.
@_transparent public func mutantMinusWrapping<T: FixedWidthInteger>(
    _ number: Int32, _ a: T, _ b: T
) -> T {
    mutant(number) ? a &+ b : a &- b
}

/// `*`; `/`.
@_transparent public func mutantTimes<T: BinaryInteger>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant(number) ? a / b : a * b
}

/// `/`; `*`.
@_transparent public func mutantDivided<T: BinaryInteger>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant(number) ? a * b : a / b
}

/// `*`; `/`.
@_transparent public func mutantTimes(_ number: Int32, _ a: Double, _ b: Double) -> Double {
    mutant(number) ? a / b : a * b
}

/// `/`; `*`.
@_transparent public func mutantDivided(_ number: Int32, _ a: Double, _ b: Double) -> Double {
    mutant(number) ? a * b : a / b
}

/// `%`; `/`.
@_transparent public func mutantRemainder<T: BinaryInteger>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant(number) ? a / b : a % b
}

/// The number; one more.
@_transparent public func mutantUp<T: FixedWidthInteger>(_ number: Int32, _ value: T) -> T {
    mutant(number) ? value &+ 1 : value
}

/// The number; one less.
@_transparent public func mutantDown<T: FixedWidthInteger>(_ number: Int32, _ value: T) -> T {
    mutant(number) ? value &- 1 : value
}

/// The value; nil.
@_transparent public func mutantNil<T>(_ number: Int32, _ value: T?) -> T? {
    mutant(number) ? nil : value
}

/// The collection; an empty one.
@_transparent public func mutantEmpty<T: RangeReplaceableCollection>(
    _ number: Int32, _ value: T
) -> T {
    mutant(number) ? T() : value
}

/// A control's value as one integer; what it means depends on the control's kind.
///
/// - switch-like kinds: `.off`, `.on`, and `.mixed` for groups;
/// - three-way levers: `.down`, `.center`, `.up`;
/// - radio groups and other choices: the option's place from 0;
/// - dials: the number in units of the last decimal that its panel file shows.
///
/// Names live in the panel plan. `unknown` differs from every value that a control can take.
public struct Value: Equatable, Hashable, Sendable, BitwiseCopyable {
    /// The integer.
    public var raw: Int32

    /// Makes a value of its integer.
    @inlinable
    public init(_ raw: Int32) {
        self.raw = raw
    }

    /// The lower of two opposing states.
    @inlinable public static var off: Value { Value(0) }
    /// The upper of two opposing states.
    @inlinable public static var on: Value { Value(1) }
    /// Members of a group differ.
    @inlinable public static var mixed: Value { Value(2) }

    /// The lower position of a three-way lever.
    @inlinable public static var down: Value { Value(0) }
    /// Its middle position.
    @inlinable public static var center: Value { Value(1) }
    /// Its upper position.
    @inlinable public static var up: Value { Value(2) }

    /// The event of a button whose action begins with the press; no option has this number.
    @inlinable public static var pressed: Value { Value(32) }
    /// The event that ends what the press began.
    @inlinable public static var released: Value { Value(33) }

    /// Nothing has confirmed a value yet, or the last outcome was uncertain.
    @inlinable public static var unknown: Value { Value(.min) }
}

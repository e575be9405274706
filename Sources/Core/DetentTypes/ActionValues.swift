/// Values of other controls that one attempt needs, in the order of its action; plain bits.
public struct ActionValues: Equatable, Sendable, BitwiseCopyable {
    /// The most values that an action can need. More is an error of the panel file.
    public static let limit = 8

    private var raw = SIMD8<Int32>()
    /// How many there are.
    public private(set) var count = 0

    /// None.
    public init() {}

    /// Adds one; one too many is left out.
    public mutating func append(_ value: Value) {
        guard count < Self.limit else { return }
        raw[count] = value.raw
        count &+= 1
    }

    /// The value at a place from 0; unknown past the end.
    public subscript(place: Int) -> Value {
        place >= 0 && place < count ? Value(raw[place]) : .unknown
    }
}

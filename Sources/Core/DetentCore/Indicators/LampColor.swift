/// What a lamp of several colours can show: a bit for red, one for green and one for blue.
public enum LampColor: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// Dark.
    case off = 0
    /// Red.
    case red = 1
    /// Green.
    case green = 2
    /// Red and green together; yellow to most eyes.
    case amber = 3
    /// Blue.
    case blue = 4
    /// Red and blue together.
    case magenta = 5
    /// Green and blue together.
    case cyan = 6
    /// All three together.
    case white = 7
}

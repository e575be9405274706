/// What a part probably is, by the places of its lines in a list.
public enum PartGuess: Equatable, Sendable {
    /// A contact that is closed while a finger holds it.
    case button(Int)
    /// A contact that keeps its position.
    case lever(Int)
    /// Two contacts of which one is closed: at one end, and at the other.
    case changeover(on: Int, off: Int)
    /// Two contacts with a centre where both are open.
    case threeWay(down: Int, up: Int)
    /// Two contacts in quadrature; `a` changes first clockwise. `rest` has the closed contacts at a
    /// detent, A in bit 1 and B in bit 0.
    case encoder(a: Int, b: Int, transitions: Int, rest: UInt8)
    /// A contact for each position, in their order; `hasNone` if one position closes none.
    case selector([Int], hasNone: Bool)
    /// Contacts with a code, the lowest bit first.
    case coded([Int], isGray: Bool)
    /// Several buttons, in the order in which they were pressed.
    case buttons([Int])
    /// A potentiometer at an analog channel, with the samples at its ends.
    case potentiometer(Int, first: Int32, last: Int32)
    /// The edges fit no part.
    case unclear([Int], Reason)

    /// Why a part could not be identified.
    public enum Reason: Equatable, Sendable {
        /// A pulse that no finger makes.
        case noise
        /// Two contacts moved like an encoder, but not far enough.
        case tooShort
        /// More lines than a part has.
        case tooMany
    }

    /// The lines of the part.
    public var lines: [Int] {
        switch self {
        case .button(let line), .lever(let line), .potentiometer(let line, _, _): [line]
        case .changeover(let on, let off): [on, off]
        case .threeWay(let down, let up): [down, up]
        case .encoder(let a, let b, _, _): [a, b]
        case .selector(let lines, _), .coded(let lines, _), .buttons(let lines),
            .unclear(let lines, _):
            lines
        }
    }
}

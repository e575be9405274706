/// The colours of lamps, with the voltage that each needs.
public enum LampColor: String, Equatable, Sendable, CaseIterable {
    case red, yellow, green, blue, white

    /// The forward voltage in millivolts: typical of indicator LEDs of 3 and 5 mm at 20 mA.
    ///
    /// Green is the common yellow-green LED of gallium phosphide. A bright green LED needs as much
    /// as a blue one. The data sheet of a lamp decides.
    public var forwardMillivolts: Int {
        switch self {
        case .red: 2_000
        case .yellow: 2_100
        case .green: 2_200
        case .blue, .white: 3_200
        }
    }
}

/// Resistors that can be bought, and the values that a panel needs.
public enum Resistor {
    /// The series E12 of IEC 60063: the values of one decade.
    static let e12 = [10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82]

    /// An external pull-up or pull-down. 10 kΩ draws 0.33 mA at 3.3 V, and is strong enough for
    /// wires of a metre.
    public static let pull = 10_000
    /// The resistor from a line to the base of an NPN transistor. At 3.3 V the base gets 2.6 mA,
    /// which saturates a transistor that switches up to 25 mA.
    public static let base = 1_000
    /// The smallest voltage over a lamp resistor in millivolts. With less, a tenth of a volt more
    /// or less in the lamp changes its current by more than a quarter.
    static let leastMillivolts = 400

    /// The smallest value of E12 that is not below a number of ohms.
    public static func e12(atLeast ohms: Int) -> Int {
        var decade = 1
        while decade <= 1_000_000 {
            // 10 to 82, times the decade; below 10 ohms the smallest value is taken.
            for value in e12 where value * decade >= ohms { return value * decade }
            decade *= 10
        }
        return 82_000_000
    }

    /// The resistor of a lamp: it never draws more than its current; nil if the supply is too low
    /// for a lamp of this colour.
    public static func ohms(
        _ color: LampColor, milliamperes: Int, supplyMillivolts: Int
    ) -> Int? {
        let rest = supplyMillivolts - color.forwardMillivolts
        guard rest >= leastMillivolts, milliamperes > 0 else { return nil }
        return e12(atLeast: (rest + milliamperes - 1) / milliamperes)
    }

    /// A value for people, such as `270 Ω` or `4.7 kΩ`.
    public static func text(_ ohms: Int) -> String {
        switch ohms {
        case ..<1_000: "\(ohms) Ω"
        case ..<1_000_000: "\(FaceDrawing.number(Double(ohms) / 1_000)) kΩ"
        case _: "\(FaceDrawing.number(Double(ohms) / 1_000_000)) MΩ"
        }
    }
}

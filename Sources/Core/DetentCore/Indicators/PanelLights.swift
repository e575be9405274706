public import DetentTypes

/// What concerns the lamps of a whole panel.
public struct PanelSettings: Equatable, Sendable, BitwiseCopyable {
    /// The dial that dims all lamps: its range is 0 to 100 hundredths of their own brightness.
    public var dimmer: ControlID?
    /// The control that tests all lamps: a button while it is pressed, a switch while it is on.
    public var lampTest: ControlID?

    /// Makes the settings.
    public init(dimmer: ControlID? = nil, lampTest: ControlID? = nil) {
        self.dimmer = dimmer
        self.lampTest = lampTest
    }
}

/// The lamps of a panel as one: how far they are dimmed, and whether they are tested.
struct PanelLights: Equatable, BitwiseCopyable {
    /// What asks for a lamp test. The test lasts while one of them does.
    enum Tester: UInt8, Equatable, BitwiseCopyable {
        case event = 1
        case control = 2
    }

    private let dimmer: ControlIndex
    private let tester: ControlIndex
    /// Of every lamp's own brightness.
    var hundredths: UInt8 = 100
    private var tests: UInt8 = 0

    init(_ settings: PanelSettings = PanelSettings()) {
        dimmer = settings.dimmer.map { ControlIndex($0) } ?? Self.none
        tester = settings.lampTest.map { ControlIndex($0) } ?? Self.none
    }

    /// The index of no control.
    private static var none: ControlIndex { ControlIndex(offset: -1) }

    /// Takes over how the lamps of the former panel are lit, as far as the same kinds of controls
    /// still decide it.
    mutating func adopt(_ former: PanelLights) {
        if dimmer != Self.none { hundredths = former.hundredths }
        tests = former.tests
        if tester == Self.none { tests &= ~Tester.control.rawValue }
    }

    var isTesting: Bool { tests != 0 }

    /// Whether a control dims or tests the lamps.
    func depend(on control: ControlIndex) -> Bool { control == dimmer || control == tester }

    func isDimmed(by control: ControlIndex) -> Bool { control == dimmer }

    func isTested(by control: ControlIndex) -> Bool { control == tester }

    /// Begins or ends a test; returns true where the lamps change by it.
    mutating func test(_ tester: Tester, isOn: Bool) -> Bool {
        let wasTesting = isTesting
        tests = isOn ? tests | tester.rawValue : tests & ~tester.rawValue
        return isTesting != wasTesting
    }
}

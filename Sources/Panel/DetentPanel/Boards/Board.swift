/// One single-board computer: how it is recognised, its chips and its headers.
public struct Board: Equatable, Sendable {
    /// The name in `board:`, lower-case words joined by '-'.
    public var id: String
    /// The name that its maker uses.
    public var name: String
    /// The system on a chip.
    public var soc: String
    /// What its systems run on, as `uname -m` prints it; empty if not known.
    public var architectures: [String]
    /// Strings of `/proc/device-tree/compatible`, any of which identifies this board.
    public var compatible: [String]
    /// Strings of `/proc/device-tree/model`, alone or followed by " Rev ".
    public var models: [String]
    /// The logic voltage in words; mostly from documents, not measured.
    public var logicVoltage: String
    /// The logic voltage in millivolts; nil if it differs from pin to pin.
    public var logicMillivolts: Int?
    /// The current that its lines can supply; nil if it is not published.
    public var current: BoardCurrent?
    /// The chips whose lines are on the headers.
    public var chips: [BoardChip]
    /// The headers, in most files the largest first.
    public var headers: [BoardHeader]
    /// Notes for users, one paragraph each.
    public var notes: [String]

    /// What the packages, which are for 64-bit ARM, lack here; nil if they run on its systems.
    public var packageRemark: String? {
        if architectures.isEmpty { return nil }
        if hasPackage { return architectures.count > 1 ? "needs a 64-bit system" : nil }
        let is32Bit = architectures.allSatisfy { $0.hasPrefix("armv") }
        return "no package: " + (is32Bit ? "32-bit" : architectures.joined(separator: "/"))
    }

    /// Whether a package runs on it, with the right system.
    public var hasPackage: Bool { architectures.contains("aarch64") }

    /// The chip with a key of the board file.
    public func chip(_ key: String) -> BoardChip? { chips.first { $0.key == key } }

    /// Every pin with its header.
    public var pins: [(header: BoardHeader, pin: BoardPin)] {
        headers.flatMap { header in header.pins.map { (header, $0) } }
    }
}

/// The current that a board's lines can supply, in milliamperes.
public struct BoardCurrent: Equatable, Sendable {
    /// One line.
    public var line: Int
    /// All lines together.
    public var total: Int
}

/// A GPIO chip of a board.
public struct BoardChip: Equatable, Sendable {
    /// Which lines have interrupts.
    public enum Edges: String, Equatable, Sendable, CaseIterable {
        case all, some, none
    }

    /// Whether configured pull resistors work.
    public enum BiasSupport: String, Equatable, Sendable, CaseIterable {
        case works, ignored, unknown
    }

    /// The name within the board file.
    public var key: String
    /// Labels that kernels give it; empty if no label is reliable.
    public var labels: [String]
    /// The parent of `/sys/bus/gpio/devices/gpiochipN`; nil if not known.
    public var platformDevice: String?
    /// The number of its lines.
    public var lines: Int
    /// Which of its lines have interrupts; with `some`, see each pin.
    public var edges: Edges
    /// Whether its configured pull resistors work.
    public var bias: BiasSupport
}

/// A header of a board with its pins in the order of their numbers.
public struct BoardHeader: Equatable, Sendable {
    /// The name on the board or in its schematic.
    public var name: String
    /// The known pins, in the order of their numbers.
    public var pins: [BoardPin]

    /// The pin with a number.
    public func pin(_ number: Int) -> BoardPin? { pins.first { $0.number == number } }
}

/// A pin of a header.
public struct BoardPin: Equatable, Sendable {
    /// What the pin is.
    public enum Kind: String, Equatable, Sendable, CaseIterable {
        case gpio
        /// A line that only one source documents, or about which sources disagree.
        case gpioUnverified = "gpio-unverified"
        case power, ground, adc, nc, other

        /// What the pin is, in words for messages.
        public var summary: String {
            switch self {
            case .gpio: "a line"
            case .gpioUnverified: "an unverified line"
            case .power: "a power pin"
            case .ground: "a ground pin"
            case .adc: "an analogue input"
            case .nc: "not connected"
            case .other: "not a line"
            }
        }
    }

    /// The number on the header, from 1.
    public var number: Int
    /// What the pin is; only two kinds are lines.
    public var kind: Kind
    /// The name in documents, such as `GPIO17`.
    public var name: String
    /// The key of the chip; nil unless the pin is a line.
    public var chip: String?
    /// The offset on that chip; nil unless the pin is a line.
    public var offset: UInt32?
    /// Names that kernels give the line, any of them.
    public var lineNames: [String]
    /// Other functions that the pin can have.
    public var functions: [String]
    /// The function that the pin has by the convention of its header, such as I2C1_SDA.
    public var bus: String?
    /// A resistor on the board, in words.
    public var fixedPull: String?
    /// Why the pin should not be used.
    public var warning: String?
    /// Whether the line has interrupts, if its chip has them.
    public var hasInterrupt: Bool

    /// Whether the line cannot be driven.
    public var isInputOnly: Bool

    /// Whether the pin is a line.
    public var isLine: Bool {
        switch kind {
        case .gpio, .gpioUnverified: true
        case .power, .ground, .adc, .nc, .other: false
        }
    }
}

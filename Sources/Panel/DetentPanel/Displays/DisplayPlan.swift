public import DetentTypes

/// A display of the panel: a small screen that says in words what its controls show.
public struct DisplayPlan: Equatable, Sendable {
    /// What takes the text.
    public enum Device: Equatable, Sendable {
        /// The kernel's device of a character display, such as `/dev/lcd`.
        case charlcd(path: String)
        /// The kernel's device of a screen of dots, such as `/dev/fb1`.
        case framebuffer(path: String)
        /// A file that takes a message, as the kernel has for a row of digits (`message`).
        case message(path: String)
        /// A program that reads lines from its standard input.
        case program(arguments: [String])
    }

    /// The name in `displays:`, or the id of the only control that it shows.
    public var name: String
    /// What takes the text.
    public var device: Device
    /// Letters in a row.
    public var columns: Int
    /// Rows of letters.
    public var rows: Int
    /// How long after the last touch it returns to its first control; zero: never.
    public var returnAfter = TimeSpan.zero
    /// The controls that it shows, in the order of the file.
    public var controls: [ControlID] = []
}

extension DisplayPlan.Device {
    /// Whether it shows only the letters of `DisplayLetters`.
    public var hasFewLetters: Bool {
        switch self {
        case .charlcd, .framebuffer, .message: true
        case .program: false
        }
    }

    /// The path of the device, or the name of the program, for messages.
    public var subject: String {
        switch self {
        case .charlcd(let path), .framebuffer(let path), .message(let path): path
        case .program(let arguments): arguments.first ?? ""
        }
    }
}

extension PanelPlan {
    /// The index of the display that shows a control; nil if none does.
    public func display(of control: ControlID) -> Int? {
        displays.firstIndex { $0.controls.contains(control) }
    }
}

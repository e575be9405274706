/// The kinds that the panel file and the backends have in common.
extension DeviceChannel.Kind {
    /// A key of an input device, by its code: closed while it is pressed.
    public static let inputKey = DeviceChannel.Kind("input-key")
    /// An axis of an input device that reports steps: the contacts A (part 0) and B (part 1) of an
    /// encoder with two transitions for each step, A first for a positive one.
    public static let inputAxis = DeviceChannel.Kind("input-axis")
    /// A voltage of a converter: it has samples, and no levels.
    public static let analog = DeviceChannel.Kind("analog")
    /// A lamp of Linux's LED class: an output with levels.
    public static let led = DeviceChannel.Kind("led")
    /// A channel of a chip that makes pulses: an output with levels.
    public static let pwm = DeviceChannel.Kind("pwm")

    /// Whether its channels are outputs with levels, which `GPIOBackend.adjust` sets.
    public var hasLevels: Bool { self == .led || self == .pwm }
}

extension LineSettings {
    /// Whether it is a channel of a converter, which has samples and no levels.
    public var isAnalog: Bool { location.channel?.kind == .analog }
}

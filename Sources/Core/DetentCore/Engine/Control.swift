import DetentTypes

/// One control as the engine keeps it: its machines, and what they share.
struct Control: BitwiseCopyable {
    var decoder: Decoder
    let nature: ControlNature
    var press = LatchPress.none
    var state: ControlState
    var work: ControlWork
    var indicator = Indicator()
    var flags: Flag = []
    /// The flags that rules set: disabled, mixed, stale.
    var relationFlags: Flag = []
    /// A bit for each contact that is closed, after debounce.
    var closed: UInt32 = 0
    /// The contacts of the part itself, without that of its guard, a bit for each.
    let part: UInt32
    /// The contacts that are buttons, a bit for each.
    let buttons: UInt32
    /// Each option of a choice has a lamp, so one of them is lit at every value.
    let hasLampOfEach: Bool
    /// The last position of a part that holds one; unknown for others.
    var position = Value.unknown
    /// Edges and encoder steps that were lost since start.
    var lost: UInt32 = 0
    /// Lines of the control that cannot be used.
    var faultyLines: UInt16 = 0
    /// When the start-up rule applies; `never` once it has.
    var startsAt = Instant.never
    /// Lines of lamps that are lit as far as pattern and value go, a bit for each.
    var lamps: UInt32 = 0
    /// Lines of lamps that were last written active.
    var litLamps: UInt32 = 0
    var dimming: Dimming
    var interlock: Interlock
    /// How strong the output of a number was told to be; nil before that.
    var outputStrength: Strength?
    /// The value from before the start; unknown where none was saved.
    var saved = Value.unknown
    /// What a form will ask for when it is applied; unknown: nothing.
    var staged = Value.unknown
    /// How far a confirmation is, 1 to 10 tenths; 0: none is under way.
    var progress: UInt8 = 0
    /// A menu is open, or something has the focus.
    var isOpen = false
    /// What was taken over from the panel before; nothing once the control has started.
    var continuity: Continuity = []

    init(_ settings: ControlSettings) {
        decoder = Decoder(settings)
        nature = ControlNature(
            domain: settings.nature.domain.resting(at: settings.startup.fallback),
            role: settings.nature.role, input: settings.nature.input)
        hasLampOfEach = nature.hasOneOption && settings.indicator.style == .perOption
        state = ControlState(initial: settings.nature.rest)
        work = ControlWork(settings.nature.role)
        interlock = Interlock(settings.transition, pulse: settings.pulse)
        dimming = Dimming(settings.indicator, dimmer: 100)
        let contacts = min(settings.partContacts, 32)
        part = contacts == 32 ? .max : 1 << UInt32(contacts) - 1
        switch settings.decoder {
        case .buttonRow: buttons = part
        case .encoder(let encoder): buttons = encoder.push == nil ? 0 : 4
        case .none, .button, .lever, .selector, .analog: buttons = 1
        }
    }

    /// The closed contacts of the part itself.
    @inline(__always)
    var partClosed: UInt32 { closed & part }

    /// The value that is shown: what is staged, else the last accepted intent.
    var shown: Value { staged == .unknown ? state.desired : staged }

    /// Whether the lamps show a lit value; what is open has a lamp to show.
    ///
    /// Inlined, because a call would copy the whole control.
    @inline(__always)
    var isLit: Bool {
        nature.isLit(at: shown, isPressed: pressedButtons != 0) || isOpen || hasLampOfEach
    }

    /// Whether the lamp shows another value still.
    @inline(__always)
    var isLampLate: Bool { isLit != indicator.isLit }

    /// Whether one output for the whole control is on.
    @inline(__always)
    var isDriven: Bool {
        nature.isLit(at: state.desired, isPressed: pressedButtons != 0)
    }

    /// Buttons that are down, a bit for each.
    var pressedButtons: UInt32 { closed & buttons }
}

/// The state of a control, for display.
public struct ControlSnapshot: Equatable, Sendable, BitwiseCopyable {
    /// The shown value: the last accepted intent.
    public var desired: Value
    /// The last value that was confirmed, or unknown.
    public var actual: Value
    /// What the part's contacts say; unknown for parts that hold no position.
    public var position: Value
    /// A bit for each contact that is closed, after debounce.
    public var closedContacts: UInt32
    /// How far the last intent has come.
    public var phase: Phase
    /// What else is known.
    public var flags: Flag
    /// What the lamps show.
    public var pattern: Pattern
    /// Whether the value beneath the pattern is a lit one. One lamp for the whole control has it.
    public var isLit: Bool
    /// A bit for each line of a lamp that is lit at this moment; of a dimmed lamp too while it is
    /// switched off between two flashes of light. A lamp test does not show here.
    public var lamps: UInt32
    /// A bit for each output that is driven active.
    public var outputs: UInt32
    /// Edges and encoder steps that were lost since start.
    public var lost: UInt32
    /// What a form will ask for when it is applied; unknown: nothing.
    public var staged: Value
    /// The option or item that has the focus; unknown while nothing is open.
    public var focus: Value
    /// How far a confirmation is, 1 to 10 tenths; 0: none is under way.
    public var progress: UInt8
}

import DetentTypes

/// The physical parts behind one interface: contacts in, gestures and positions out.
///
/// The parts hold their settings, but a button is handed its times: they are larger than itself,
/// and to copy them with each edge costs 30 instructions (Benchmarks/run). So are those of an
/// analog part, for which each control would need room.
enum Decoder: Equatable, BitwiseCopyable {
    case none
    case button(ButtonDecoder)
    case lever(LeverDecoder)
    case selector(SelectorDecoder)
    case encoder(QuadratureDecoder, push: ButtonDecoder)
    case buttonRow(ButtonRowDecoder)
    case analog(AnalogDecoder)

    init(_ settings: borrowing ControlSettings) {
        switch settings.decoder {
        case .none: self = .none
        case .button: self = .button(ButtonDecoder())
        case .lever: self = .lever(LeverDecoder(contactCount: settings.partContacts))
        case .selector(let selector): self = .selector(SelectorDecoder(selector))
        case .encoder(let encoder):
            self = .encoder(
                QuadratureDecoder(encoder, acceleration: settings.nature.acceleration),
                push: ButtonDecoder())
        case .buttonRow: self = .buttonRow(ButtonRowDecoder())
        case .analog: self = .analog(AnalogDecoder())
        }
    }

    // Inlined: a call would copy the whole (Benchmarks/run).
    @inline(__always)
    var deadline: Instant {
        switch self {
        case .none, .lever, .buttonRow: .never
        case .button(let button): button.deadline
        case .selector(let selector): selector.deadline
        case .encoder(let quadrature, let push): min(quadrature.deadline, push.deadline)
        case .analog(let analog): analog.deadline
        }
    }

    /// Edges that the part itself found missing, since start.
    var lost: UInt32 {
        switch self {
        case .none, .button, .lever, .selector, .buttonRow, .analog: 0
        case .encoder(let quadrature, _): quadrature.lost
        }
    }

    /// Takes the contacts as they are at start; nothing is reported.
    mutating func start(_ closed: UInt32) {
        switch self {
        case .none:
            break  // no contacts
        case .button(var button):
            button.start(Level(closed & 1 != 0))
            self = .button(button)
        case .lever(var lever):
            lever.start(closed)
            self = .lever(lever)
        case .selector(var selector):
            selector.start(closed)
            self = .selector(selector)
        case .encoder(var quadrature, var push):
            quadrature.start(Self.quadratureLevels(closed))
            push.start(Level(closed & 4 != 0))
            self = .encoder(quadrature, push: push)
        case .buttonRow(var row):
            row.start()
            self = .buttonRow(row)
        case .analog:
            break  // a sample says how it stands
        }
    }

    /// The line of a contact is back after a fault, `closed` is what the contacts are now.
    mutating func restart(_ contact: UInt8, closed: UInt32) -> DecoderOutput {
        switch self {
        case .none:
            return .nothing  // no contacts
        case .button(var button):
            defer { self = .button(button) }
            return button.restart(Level(closed & 1 != 0))
        case .lever(var lever):
            _ = lever.contacts(closed)
            self = .lever(lever)
            return .nothing
        case .selector(var selector):
            selector.restart(closed)
            self = .selector(selector)
            return .nothing
        case .encoder(var quadrature, var push):
            defer { self = .encoder(quadrature, push: push) }
            if contact == 2 {
                return push.restart(Level(closed & 4 != 0))
            }
            quadrature.start(Self.quadratureLevels(closed))
            return .nothing
        case .buttonRow(var row):
            defer { self = .buttonRow(row) }
            return row.restart(contact, Self.level(of: contact, in: closed))
        case .analog:
            return .nothing  // a sample says how it stands
        }
    }

    /// The position of a part that holds one; nil for others, and while no contact has named one.
    var position: Value? {
        switch self {
        case .none, .button, .encoder, .buttonRow: nil
        case .lever(let lever): lever.position
        case .selector(let selector):
            selector.isUnknown ? nil : Value(Int32(selector.position))
        case .analog(let analog): analog.position
        }
    }

    /// Contact `contact` has changed; `closed` has a bit for each closed contact, this one
    /// included.
    // Inlined: a call would copy all settings (Benchmarks/run).
    @inline(__always)
    mutating func contact(
        _ contact: UInt8, closed: UInt32, at now: Instant, _ settings: borrowing ControlSettings
    ) -> DecoderOutput {
        switch self {
        case .none:
            return .nothing  // no contacts
        case .button(var button):
            guard let times = settings.decoder.button else { return .nothing }
            defer { self = .button(button) }
            return button.contact(Level(closed & 1 != 0), at: now, times)
        case .lever(var lever):
            defer { self = .lever(lever) }
            return lever.contacts(closed)
        case .selector(var selector):
            selector.contacts(closed, at: now)
            self = .selector(selector)
            return .nothing
        case .encoder(var quadrature, var push):
            defer { self = .encoder(quadrature, push: push) }
            guard contact == 2 else {
                return quadrature.contacts(Self.quadratureLevels(closed), at: now)
            }
            guard let times = settings.decoder.button else { return .nothing }
            return push.contact(Level(closed & 4 != 0), at: now, times)
        case .buttonRow(var row):
            defer { self = .buttonRow(row) }
            return row.contact(contact, Self.level(of: contact, in: closed))
        case .analog:
            return .nothing  // it has samples, no levels
        }
    }

    /// The level of the contact that asked to be verified was read.
    // Inlined: a call would copy all settings (Benchmarks/run).
    @inline(__always)
    mutating func levelRead(
        _ level: Level, _ settings: borrowing ControlSettings
    ) -> DecoderOutput {
        switch self {
        case .button(var button):
            guard let times = settings.decoder.button else { return .nothing }
            defer { self = .button(button) }
            return button.levelRead(level, times)
        case .encoder(let quadrature, var push):
            guard let times = settings.decoder.button else { return .nothing }
            defer { self = .encoder(quadrature, push: push) }
            return push.levelRead(level, times)
        case .none, .lever, .selector, .buttonRow, .analog:
            return .nothing  // no gesture of these parts waits for a reading
        }
    }

    /// A repetition was reported at `now`, and the clock is at `clock`: those far behind are left
    /// out.
    mutating func boundRepetitions(
        at now: Instant, clock: Instant, _ settings: borrowing ControlSettings
    ) {
        guard let times = settings.decoder.button else { return }
        switch self {
        case .button(var button):
            button.boundRepetitions(at: now, clock: clock, times)
            self = .button(button)
        case .encoder(let quadrature, var push):
            push.boundRepetitions(at: now, clock: clock, times)
            self = .encoder(quadrature, push: push)
        case .none, .lever, .selector, .buttonRow, .analog:
            break  // these parts repeat nothing
        }
    }

    /// The converter of an analog part has a sample, which is taken as the part stands.
    mutating func start(sample: Int32, _ settings: borrowing ControlSettings) {
        guard case .analog(var analog) = self, case .analog(let settings) = settings.decoder else {
            return
        }
        analog.start(sample, settings)
        self = .analog(analog)
    }

    /// The converter of an analog part has a sample.
    mutating func sample(
        _ sample: Int32, at now: Instant, _ settings: borrowing ControlSettings
    ) -> DecoderOutput {
        guard case .analog(var analog) = self, case .analog(let settings) = settings.decoder else {
            return .nothing
        }
        defer { self = .analog(analog) }
        return analog.sample(sample, at: now, settings)
    }

    mutating func deadlineReached(
        at now: Instant, _ settings: borrowing ControlSettings
    ) -> DecoderOutput {
        switch self {
        case .button(var button):
            guard let times = settings.decoder.button else { return .nothing }
            defer { self = .button(button) }
            return button.deadlineReached(at: now, times)
        case .selector(var selector):
            defer { self = .selector(selector) }
            return selector.deadlineReached()
        case .encoder(var quadrature, var push):
            defer { self = .encoder(quadrature, push: push) }
            if quadrature.deadline <= now { return quadrature.deadlineReached(at: now) }
            guard let times = settings.decoder.button else { return .nothing }
            return push.deadlineReached(at: now, times)
        case .analog(var analog):
            defer { self = .analog(analog) }
            guard case .analog(let settings) = settings.decoder else { return .nothing }
            return analog.deadlineReached(settings)
        case .none, .lever, .buttonRow:
            return .nothing  // these parts wait for nothing
        }
    }

    /// The moment at which what is due at `now` happened: mostly `now`.
    func moment(dueAt now: Instant) -> Instant {
        switch self {
        case .none, .button, .lever, .selector, .buttonRow, .analog: now
        case .encoder(let quadrature, _): quadrature.moment(dueAt: now)
        }
    }

    /// The contact whose level decides a gesture: the push of an encoder, else the only one.
    var verifiedContact: UInt16 {
        switch self {
        case .encoder: 2
        case .none, .button, .lever, .selector, .buttonRow, .analog: 0
        }
    }

    /// Whether the part is pressed, or stands in its position on; a button that is held since the
    /// start or since a fault is not.
    var isDown: Bool {
        switch self {
        case .none, .selector, .analog: false
        case .button(let button): button.isDown
        case .lever(let lever): lever.position == .on
        case .encoder(_, let push): push.isDown
        case .buttonRow(let row): row.isAnyDown
        }
    }

    private static func level(of contact: UInt8, in closed: UInt32) -> Level {
        Level(contact < 32 && closed & (1 << UInt32(contact)) != 0)
    }

    /// Contact 0 is A and stands in bit 1 of a pair of quadrature levels, contact 1 is B in bit 0.
    private static func quadratureLevels(_ closed: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (closed & 1) << 1 | (closed & 2) >> 1)
    }
}

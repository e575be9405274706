import DetentTypes

/// The physical parts behind one interface: contacts in, gestures and positions out.
enum Decoder: Equatable, BitwiseCopyable {
    case none
    case button(ButtonDecoder)
    case lever(LeverDecoder)
    case selector(SelectorDecoder)
    case encoder(QuadratureDecoder, push: ButtonDecoder)
    case buttonRow(ButtonRowDecoder)

    init(_ settings: DecoderSettings) {
        switch settings {
        case .none: self = .none
        case .button: self = .button(ButtonDecoder())
        case .lever: self = .lever(LeverDecoder())
        case .selector: self = .selector(SelectorDecoder())
        case .encoder: self = .encoder(QuadratureDecoder(), push: ButtonDecoder())
        case .buttonRow: self = .buttonRow(ButtonRowDecoder())
        }
    }

    var deadline: Instant {
        switch self {
        case .none, .lever, .buttonRow: .never
        case .button(let button): button.deadline
        case .selector(let selector): selector.deadline
        case .encoder(let quadrature, let push): min(quadrature.deadline, push.deadline)
        }
    }

    /// Edges that the part itself found missing, since start.
    var lost: UInt32 {
        switch self {
        case .none, .button, .lever, .selector, .buttonRow: 0
        case .encoder(let quadrature, _): quadrature.lost
        }
    }

    /// Takes the contacts as they are at start; nothing is told.
    mutating func start(_ closed: UInt32, _ settings: borrowing ControlSettings) {
        switch (self, settings.decoder) {
        case (.button(var button), .button):
            button.start(Level(closed & 1 != 0))
            self = .button(button)
        case (.lever(var lever), .lever):
            lever.start(closed, contacts: settings.partContacts)
            self = .lever(lever)
        case (.selector(var selector), .selector(let selectorSettings)):
            selector.start(closed, selectorSettings)
            self = .selector(selector)
        case (.encoder(var quadrature, var push), .encoder):
            quadrature.start(Self.quadratureLevels(closed))
            push.start(Level(closed & 4 != 0))
            self = .encoder(quadrature, push: push)
        case (.buttonRow(var row), .buttonRow):
            row.start()
            self = .buttonRow(row)
        case (_, _):
            break  // a decoder is made from these settings, so the pair always matches
        }
    }

    /// The line of a contact is back after a fault, `closed` is what the contacts are now.
    mutating func restart(
        _ contact: UInt8, closed: UInt32, _ settings: borrowing ControlSettings
    ) -> DecoderOutput {
        switch (self, settings.decoder) {
        case (.button(var button), .button):
            defer { self = .button(button) }
            return button.restart(Level(closed & 1 != 0))
        case (.lever(var lever), .lever):
            _ = lever.contacts(closed, contacts: settings.partContacts)
            self = .lever(lever)
        case (.selector(var selector), .selector(let selectorSettings)):
            selector.restart(closed, selectorSettings)
            self = .selector(selector)
        case (.encoder(var quadrature, var push), .encoder):
            defer { self = .encoder(quadrature, push: push) }
            if contact == 2 { return push.restart(Level(closed & 4 != 0)) }
            quadrature.start(Self.quadratureLevels(closed))
        case (.buttonRow(var row), .buttonRow):
            defer { self = .buttonRow(row) }
            return row.restart(contact, Self.level(of: contact, in: closed))
        case (_, _):
            break  // no contacts, or the pair that cannot be
        }
        return .nothing
    }

    /// The position of a part that holds one; nil for others, and while no contact has named one.
    var position: Value? {
        switch self {
        case .none, .button, .encoder, .buttonRow: nil
        case .lever(let lever): lever.position
        case .selector(let selector):
            selector.isUnknown ? nil : Value(Int32(selector.position))
        }
    }

    /// Contact `contact` has changed; `closed` has a bit for each closed contact, this one
    /// included.
    mutating func contact(
        _ contact: UInt8, closed: UInt32, at now: Instant, _ settings: borrowing ControlSettings
    ) -> DecoderOutput {
        switch (self, settings.decoder) {
        case (.button(var button), .button(let times)):
            defer { self = .button(button) }
            return button.contact(Level(closed & 1 != 0), at: now, times)
        case (.lever(var lever), .lever):
            defer { self = .lever(lever) }
            return lever.contacts(closed, contacts: settings.partContacts)
        case (.selector(var selector), .selector(let selectorSettings)):
            selector.contacts(closed, at: now, selectorSettings)
            self = .selector(selector)
            return .nothing
        case (.encoder(var quadrature, var push), .encoder(let encoder)):
            defer { self = .encoder(quadrature, push: push) }
            if contact == 2 {
                guard let times = encoder.push else { return .nothing }
                return push.contact(Level(closed & 4 != 0), at: now, times)
            }
            return quadrature.contacts(Self.quadratureLevels(closed), at: now, encoder)
        case (.buttonRow(var row), .buttonRow):
            defer { self = .buttonRow(row) }
            return row.contact(contact, Self.level(of: contact, in: closed))
        case (_, _):
            return .nothing  // no contacts, or the pair that cannot be
        }
    }

    /// The level of the contact that asked to be verified was read.
    mutating func levelRead(_ level: Level, _ settings: borrowing ControlSettings) -> DecoderOutput
    {
        switch (self, settings.decoder) {
        case (.button(var button), .button(let times)):
            defer { self = .button(button) }
            return button.levelRead(level, times)
        case (.encoder(let quadrature, var push), .encoder(let encoder)):
            guard let times = encoder.push else { return .nothing }
            defer { self = .encoder(quadrature, push: push) }
            return push.levelRead(level, times)
        case (_, _):
            return .nothing  // no gesture of these parts waits for a reading
        }
    }

    /// A repetition was told at `now` while the clock stands at `clock`: those far behind are left
    /// out.
    mutating func boundRepetitions(
        at now: Instant, clock: Instant, _ settings: borrowing ControlSettings
    ) {
        switch (self, settings.decoder) {
        case (.button(var button), .button(let times)):
            button.boundRepetitions(at: now, clock: clock, times)
            self = .button(button)
        case (.encoder(let quadrature, var push), .encoder(let encoder)):
            guard let times = encoder.push else { return }
            push.boundRepetitions(at: now, clock: clock, times)
            self = .encoder(quadrature, push: push)
        case (_, _):
            break  // these parts repeat nothing
        }
    }

    mutating func deadlineReached(
        at now: Instant, _ settings: borrowing ControlSettings
    ) -> DecoderOutput {
        switch (self, settings.decoder) {
        case (.button(var button), .button(let times)):
            defer { self = .button(button) }
            return button.deadlineReached(at: now, times)
        case (.selector(var selector), .selector):
            defer { self = .selector(selector) }
            return selector.deadlineReached()
        case (.encoder(var quadrature, var push), .encoder(let encoder)):
            defer { self = .encoder(quadrature, push: push) }
            if quadrature.deadline <= now {
                return quadrature.deadlineReached(
                    at: now, encoder, acceleration: settings.kind.acceleration)
            }
            guard let times = encoder.push else { return .nothing }
            return push.deadlineReached(at: now, times)
        case (_, _):
            return .nothing  // these parts wait for nothing
        }
    }

    /// The moment at which what is due at `now` happened: mostly `now`.
    func moment(dueAt now: Instant) -> Instant {
        switch self {
        case .none, .button, .lever, .selector, .buttonRow: now
        case .encoder(let quadrature, _): quadrature.moment(dueAt: now)
        }
    }

    /// The contact whose level decides a gesture: the push of an encoder, else the only one.
    var verifiedContact: UInt16 {
        switch self {
        case .encoder: 2
        case .none, .button, .lever, .selector, .buttonRow: 0
        }
    }

    /// Whether the part is pressed, or stands in its position on; a button that is held since the
    /// start or since a fault is not.
    var isDown: Bool {
        switch self {
        case .none, .selector: false
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

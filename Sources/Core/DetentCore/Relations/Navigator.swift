import DetentTypes

/// Finds one of several by turning, or by few buttons.
///
///     closed ──turn or press, by style──▶ open(focus) ──turn──▶ open(another)
///     open ──press, or settled──▶ closed: chosen        open ──back or time──▶ closed
struct Navigator: Equatable, BitwiseCopyable {
    private enum State: Equatable, BitwiseCopyable {
        case closed
        case open(focus: UInt8, until: Instant)
    }

    /// The buttons of a part with several, in the order of their contacts.
    private enum Button: UInt8 {
        case up, down, select, back
    }

    /// What the present press of an encoder's push has come to.
    private enum Press: Equatable, BitwiseCopyable {
        /// A hold or a click may still come of it.
        case open
        /// It was a choice already.
        case spent
    }

    /// What a gesture means to a navigator.
    enum Input: Equatable, BitwiseCopyable {
        case none
        /// A number of items on; negative: back towards the first.
        case step(Int16)
        case select
        case back
    }

    /// What happened at one input.
    struct Move: Equatable, BitwiseCopyable {
        var isOpened = false
        var isClosed = false
        /// The item that has the focus now; nil: the same as before, or none.
        var focus: UInt8?
        /// The item that was chosen.
        var chosen: UInt8?
    }

    private var state = State.closed
    private var press = Press.open

    /// The item that has the focus; nil while closed.
    var focus: UInt8? {
        switch state {
        case .closed: nil
        case .open(let focus, _): focus
        }
    }

    var deadline: Instant {
        switch state {
        case .closed: .never
        case .open(_, let until): until
        }
    }

    /// What the gestures of the control's hardware mean.
    ///
    /// - Parameters:
    ///   - holdGoesBack: the push has a hold time.
    ///   - isConfirmed: what has the focus takes more than a choice, which begins with the press.
    mutating func input(
        _ decoded: DecoderOutput, _ settings: NavigationSettings, holdGoesBack: Bool,
        isConfirmed: Bool
    ) -> Input {
        switch settings.hardware {
        case .encoder:
            if decoded.gestures.contains(.stepped) { return .step(decoded.delta) }
            if decoded.gestures.contains(.pressed) {
                press = isConfirmed || !holdGoesBack ? .spent : .open
                return press == .spent ? .select : .none
            }
            if press == .spent { return .none }
            if decoded.gestures.contains(.held) { return .back }
            return decoded.gestures.contains(.clicked) ? .select : .none
        case .buttons:
            guard decoded.gestures.contains(.pressed) else { return .none }
            switch Button(rawValue: decoded.button) {
            case .up: return .step(-1)
            case .down: return .step(1)
            case .select: return .select
            case .back, nil: return .back
            }
        case .oneButton:
            if decoded.gestures.contains(.held) { return .select }
            // Nothing but a hold opens a menu.
            guard decoded.gestures.contains(.clicked), state != .closed || !settings.isMenu else {
                return .none
            }
            return .step(1)
        }
    }

    /// Does what an input asks for; `current` is the value that the control has now.
    ///
    /// A chosen item leaves the menu open: the engine closes it once that was carried out.
    mutating func receive(
        _ input: Input, current: Value, _ settings: NavigationSettings,
        _ items: Table<Int, MenuItem>,
        at now: Instant
    ) -> Move {
        switch (input, state) {
        case (.none, _), (.back, .closed):
            return Move()
        case (.step(let steps), .closed):
            guard !settings.isMenu, let start = Self.firstFocus(current, settings, items) else {
                return Move()
            }
            return focus(
                moved(start, by: steps, settings, items), settings, at: now, isOpened: true)
        case (.select, .closed):
            guard settings.isMenu, let start = Self.firstFocus(current, settings, items) else {
                return Move()
            }
            return focus(start, settings, at: now, isOpened: true)
        case (.step(let steps), .open(let focused, _)):
            return focus(moved(focused, by: steps, settings, items), settings, at: now)
        case (.select, .open(let focused, _)):
            return select(focused, settings, items, at: now)
        case (.back, .open(let focused, _)):
            let parent = Self.item(focused, settings, items)?.parent ?? MenuItem.topLevel
            guard parent != MenuItem.topLevel else { return close() }
            return focus(parent, settings, at: now)
        }
    }

    /// The time is over: the item that settled is chosen, or the focus lapses.
    mutating func deadlineReached(_ settings: NavigationSettings, at now: Instant) -> Move {
        guard case .open(let focused, let until) = state, until <= now else { return Move() }
        var move = close()
        switch settings.style {
        case .followTurn: move.chosen = focused
        case .focus, .menu: break
        }
        return move
    }

    /// Something was done about what has the focus: the time to close begins anew.
    mutating func touch(_ settings: NavigationSettings, at now: Instant) {
        guard case .open(let focused, _) = state else { return }
        _ = focus(focused, settings, at: now)
    }

    /// The chosen item was carried out: a submenu returns to its menu, and anything else closes.
    mutating func returnFromChoice(
        _ settings: NavigationSettings, _ items: Table<Int, MenuItem>, at now: Instant
    ) -> Move {
        guard case .open(let focused, _) = state,
            let parent = Self.item(focused, settings, items)?.parent, parent != MenuItem.topLevel
        else { return close() }
        return focus(parent, settings, at: now)
    }

    mutating func close() -> Move {
        guard state != .closed else { return Move() }
        state = .closed
        return Move(isClosed: true)
    }

    private mutating func focus(
        _ item: UInt8, _ settings: NavigationSettings, at now: Instant, isOpened: Bool = false
    ) -> Move {
        let isNew = focus != item
        let until: Instant =
            switch settings.style {
            case .followTurn(let settle): now + settle
            case .focus(.zero), .menu(.zero): .never
            case .focus(let closeAfter), .menu(let closeAfter): now + closeAfter
            }
        state = .open(focus: item, until: until)
        return Move(isOpened: isOpened, focus: isNew ? item : nil)
    }

    private mutating func select(
        _ focused: UInt8, _ settings: NavigationSettings, _ items: Table<Int, MenuItem>,
        at now: Instant
    ) -> Move {
        if Self.item(focused, settings, items)?.isSubmenu == true {
            let first = Self.next(after: nil, parent: focused, settings, items)
            return focus(first ?? focused, settings, at: now)
        }
        var move = focus(focused, settings, at: now)
        move.chosen = focused
        return move
    }

    /// The item a number of steps on among those of the same menu: held at its ends, but for a
    /// single
    /// button, which only knows one way.
    private func moved(
        _ start: UInt8, by steps: Int16, _ settings: NavigationSettings,
        _ items: Table<Int, MenuItem>
    ) -> UInt8 {
        var place = start
        let parent = Self.item(start, settings, items)?.parent ?? MenuItem.topLevel
        var rest = min(Int16(settings.count), abs(max(steps, -.max)))
        while rest > 0 {
            rest &-= 1
            let next =
                steps > 0
                ? Self.next(after: place, parent: parent, settings, items)
                : Self.previous(before: place, parent: parent, settings, items)
            if let next {
                place = next
            } else if settings.hardware == .oneButton {
                place = Self.next(after: nil, parent: parent, settings, items) ?? place
            }
        }
        return place
    }

    /// Where it opens; nil where nothing can be reached.
    private static func firstFocus(
        _ current: Value, _ settings: NavigationSettings, _ items: Table<Int, MenuItem>
    ) -> UInt8? {
        if settings.items.isEmpty, current.raw >= 0, current.raw < Int32(settings.count) {
            return UInt8(truncatingIfNeeded: current.raw)
        }
        return next(after: nil, parent: MenuItem.topLevel, settings, items)
    }

    private static func item(
        _ place: UInt8, _ settings: NavigationSettings, _ items: Table<Int, MenuItem>
    ) -> MenuItem? {
        guard UInt16(place) < settings.items.count else { return nil }
        return items[Int(settings.items.first) &+ Int(place)]
    }

    private static func next(
        after place: UInt8?, parent: UInt8, _ settings: NavigationSettings,
        _ items: Table<Int, MenuItem>
    ) -> UInt8? {
        var candidate = place.map { $0 &+ 1 } ?? 0
        while candidate < settings.count {
            if (item(candidate, settings, items)?.parent ?? MenuItem.topLevel) == parent {
                return candidate
            }
            candidate &+= 1
        }
        return nil
    }

    private static func previous(
        before place: UInt8, parent: UInt8, _ settings: NavigationSettings,
        _ items: Table<Int, MenuItem>
    ) -> UInt8? {
        var candidate = place
        while candidate > 0 {
            candidate &-= 1
            if (item(candidate, settings, items)?.parent ?? MenuItem.topLevel) == parent {
                return candidate
            }
        }
        return nil
    }
}

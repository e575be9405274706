import DetentTypes

/// Finding one of several by turning, or by few buttons.
extension Engine {
    /// What a gesture comes to: a choice, if it is one.
    mutating func navigate(
        _ decoded: Decoded, _ control: Int, _ rule: Int, _ navigation: NavigationSettings,
        _ view: ControlView, _ emit: Emit
    ) -> Response {
        let isConfirmed =
            rules[rule].navigator.focus != nil && currentContract(rule).beginsWithPress
        let input = rules[rule].navigator.input(
            decoded, navigation, holdGoesBack: hasHold(control), isConfirmed: isConfirmed)
        guard input != .none else { return .nothing }
        if controls[control].standing.contains(.disabled) { return .refuse(.disabled) }
        touch(control, at: view.now, emit)
        if input != .select { abandonConfirmation(control, rule, at: view.now, emit) }
        let move = rules[rule].navigator.take(
            input, current: firstOption(view.desired, control), navigation, items, at: view.now)
        tell(move, control, rule, at: view.now, emit)
        return choose(move, control, view)
    }

    /// Whether an item only opens its submenu.
    func isSubmenu(_ value: Value, _ rule: Int) -> Bool {
        menuItem(value, rule)?.isSubmenu ?? false
    }

    func menuItem(_ value: Value, _ rule: Int) -> MenuItem? {
        guard let navigation = rulesSettings[rule].navigation, value.raw >= 0,
            value.raw < Int32(navigation.items.count)
        else { return nil }
        return items[Int(navigation.items.first) &+ Int(value.raw)]
    }

    /// A choice was carried out. It closes a menu or a list, and leads from a submenu to its menu.
    mutating func chose(_ control: Int, _ rule: Int, at now: Instant, _ emit: Emit) {
        guard let navigation = rulesSettings[rule].navigation, navigation.closesOnChoice else {
            return
        }
        let move = rules[rule].navigator.chose(navigation, items, at: now)
        guard move != Navigator.Move() else { return }
        tell(move, control, rule, at: now, emit)
        refresh(control, at: now, emit)
    }

    /// Closes what is open, and tells it.
    mutating func closeMenu(_ control: Int, _ rule: Int, at now: Instant, _ emit: Emit) {
        let move = rules[rule].navigator.close()
        guard move.isClosed else { return }
        tell(move, control, rule, at: now, emit)
        refresh(control, at: now, emit)
    }

    /// What settled is chosen, and what nobody touched closes.
    mutating func fireNavigator(_ control: Int, _ rule: Int, at now: Instant, _ emit: Emit) {
        guard let navigation = rulesSettings[rule].navigation else { return }
        let move = rules[rule].navigator.deadlineReached(navigation, at: now)
        tell(move, control, rule, at: now, emit)
        let view = ControlView(
            desired: controls[control].shown, positionBefore: .unknown,
            mismatch: settings[control].mismatch, now: now)
        permit(choose(move, control, view), by: nil, control, rule, at: now, emit)
    }

    private mutating func choose(
        _ move: Navigator.Move, _ control: Int, _ view: ControlView
    ) -> Response {
        guard let chosen = move.chosen else { return .nothing }
        return controls[control].kind.response(toChosen: chosen, view)
    }

    private mutating func tell(
        _ move: Navigator.Move, _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        controls[control].isOpen = rules[rule].navigator.focus != nil
        if move.isOpened { report(.opened, control, at: now, emit) }
        if let focus = move.focus {
            report(.focused(Value(Int32(focus))), control, at: now, emit)
        }
        if move.isClosed { report(.closed, control, at: now, emit) }
    }

    /// The option that has the focus first: the value, or the first of several.
    private mutating func firstOption(_ value: Value, _ control: Int) -> Value {
        let options = optionBits(value, control)
        return options == 0 ? .unknown : Value(Int32(options.trailingZeroBitCount))
    }

    /// Whether the push of an encoder has a hold time.
    private func hasHold(_ control: Int) -> Bool {
        guard case .encoder(let encoder) = settings[control].decoder, let push = encoder.push
        else { return false }
        return push.hold != .zero
    }
}

import DetentTypes

/// Finding one of several by turning, or by few buttons.
extension Engine {
    /// What a gesture comes to: a choice, if it is one.
    mutating func navigate(
        _ decoded: DecoderOutput, _ control: ControlIndex, _ relation: RelationIndex,
        _ navigation: NavigationSettings,
        _ context: ResponseContext, _ emit: Emit
    ) -> Response {
        let isConfirmed =
            relations[relation].navigator.focus != nil
            && currentConfirmation(relation).beginsWithPress
        let input = relations[relation].navigator.input(
            decoded, navigation, holdGoesBack: hasHold(control), isConfirmed: isConfirmed)
        guard input != .none else { return .nothing }
        if controls[control].relationFlags.contains(.disabled) { return .refuse(.disabled) }
        acknowledgeFailure(control, emit)
        if input != .select { abandonConfirmation(control, relation, emit) }
        let move = relations[relation].navigator.receive(
            input, current: firstOption(context.desired, control), navigation, items,
            at: context.now)
        reportNavigation(move, control, relation, emit)
        return choose(move, control, context)
    }

    /// Whether an item only opens its submenu.
    func isSubmenu(_ value: Value, _ relation: RelationIndex) -> Bool {
        menuItem(value, relation)?.isSubmenu ?? false
    }

    func menuItem(_ value: Value, _ relation: RelationIndex) -> MenuItem? {
        guard let navigation = relationSettings[relation].navigation, value.raw >= 0,
            value.raw < Int32(navigation.items.count)
        else { return nil }
        return items[Int(navigation.items.first) &+ Int(value.raw)]
    }

    /// A choice was carried out: a submenu returns to its menu, and anything else except a focus
    /// closes.
    mutating func closeAfterChoice(_ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit)
    {
        guard let navigation = relationSettings[relation].navigation, navigation.closesOnChoice
        else {
            return
        }
        let move = relations[relation].navigator.returnFromChoice(navigation, items, at: now)
        guard move != Navigator.Move() else { return }
        reportNavigation(move, control, relation, emit)
        refresh(control, emit)
    }

    /// Closes what is open, and tells it.
    mutating func closeMenu(
        _ control: ControlIndex, _ relation: RelationIndex, by origin: Origin, _ emit: Emit
    ) {
        let move = relations[relation].navigator.close()
        guard move.isClosed else { return }
        reportNavigation(move, control, relation, by: origin, emit)
        refresh(control, emit)
    }

    /// The item that settled is chosen; a menu without a touch closes.
    mutating func fireNavigator(_ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit) {
        guard let navigation = relationSettings[relation].navigation else { return }
        let move = relations[relation].navigator.deadlineReached(navigation, at: now)
        reportNavigation(move, control, relation, emit)
        let context = ResponseContext(
            desired: controls[control].shown, positionBefore: .unknown,
            mismatch: settings[control].mismatch, now: now)
        permit(choose(move, control, context), by: nil, control, relation, emit)
    }

    private mutating func choose(
        _ move: Navigator.Move, _ control: ControlIndex, _ context: ResponseContext
    ) -> Response {
        guard let chosen = move.chosen else { return .nothing }
        return controls[control].nature.response(toChosen: chosen, context)
    }

    private mutating func reportNavigation(
        _ move: Navigator.Move, _ control: ControlIndex, _ relation: RelationIndex,
        by origin: Origin = .panel, _ emit: Emit
    ) {
        controls[control].isOpen = relations[relation].navigator.focus != nil
        if move.isOpened { report(.opened, control, emit) }
        if let focus = move.focus {
            report(.focused(Value(Int32(focus))), control, emit)
        }
        if move.isClosed { report(.closed(origin), control, emit) }
    }

    /// The option that has the focus first: the value, or the first of several.
    private mutating func firstOption(_ value: Value, _ control: ControlIndex) -> Value {
        let options = optionBits(value, control)
        return options == 0 ? .unknown : Value(Int32(options.trailingZeroBitCount))
    }

    /// Whether the push of an encoder has a hold time.
    private func hasHold(_ control: ControlIndex) -> Bool {
        guard case .encoder(let encoder) = settings[control].decoder, let push = encoder.push
        else { return false }
        return push.hold != .zero
    }
}

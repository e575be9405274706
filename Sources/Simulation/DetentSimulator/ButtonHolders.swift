import DetentTypes
import DetentWorld

/// Which input sources hold which buttons; a button is down while any source holds it.
struct ButtonHolders: Equatable {
    /// A button of a control's part.
    private struct Button: Hashable {
        var control: ControlID
        var place: Int
    }

    private struct Hold: Equatable {
        var source: InputSourceID
        var began: Instant
        /// When the finger is released automatically; `never` if it stays.
        var until: Instant
    }

    private var holds: [Button: [Hold]] = [:]

    /// A finger presses a button, and releases it at a moment.
    ///
    /// - Returns: the gesture for the button.
    mutating func hold(
        _ control: ControlID, _ place: Int, by source: InputSourceID, from now: Instant,
        until end: Instant
    ) -> Gesture {
        let button = Button(control: control, place: place)
        var hands = hands(on: button, at: now).filter { $0.source != source }
        hands.append(Hold(source: source, began: now, until: end))
        holds[button] = hands
        return gesture(button, at: now)
    }

    /// A finger releases a button, but not before `Gesture.clickHold` has passed: a slow browser or
    /// a paused clock can report both movements at the same moment.
    ///
    /// - Returns: the gesture for the button; nil if other sources still hold it.
    mutating func release(
        _ control: ControlID, _ place: Int, by source: InputSourceID, at now: Instant
    ) -> Gesture? {
        let button = Button(control: control, place: place)
        var before = hands(on: button, at: now)
        let others = before.filter { $0.source != source }.map(\.until).max() ?? .zero
        if let place = before.firstIndex(where: { $0.source == source }),
            case let soonest = before[place].began + Gesture.clickHold, soonest > now,
            soonest > others
        {
            before[place].until = min(before[place].until, soonest)
            holds[button] = before
            return gesture(button, at: now)
        }
        let after = before.filter { $0.source != source }
        holds[button] = after.isEmpty ? nil : after
        if after.count == before.count, !after.isEmpty { return nil }
        return gesture(button, at: now)
    }

    /// All fingers leave the buttons.
    ///
    /// - Returns: the gestures for the buttons that were held.
    mutating func releaseEverything(at now: Instant) -> [Gesture] {
        let held = holds.keys.filter { !hands(on: $0, at: now).isEmpty }
        holds = [:]
        return held.sorted { ($0.control, $0.place) < ($1.control, $1.place) }
            .map { .release($0.control, button: $0.place) }
    }

    /// An input source has disconnected. A click that it began is completed.
    ///
    /// - Returns: the gestures for the buttons that it held.
    mutating func releaseAll(_ source: InputSourceID, at now: Instant) -> [Gesture] {
        var gestures: [Gesture] = []
        for button in holds.keys.sorted(by: { ($0.control, $0.place) < ($1.control, $1.place) }) {
            var hands = hands(on: button, at: now)
            guard let place = hands.firstIndex(where: { $0.source == source }) else { continue }
            let clickEnd = hands[place].began + Gesture.clickHold
            if hands[place].until <= clickEnd { continue }
            if hands[place].until != .never, clickEnd > now {
                hands[place].until = clickEnd
            } else {
                hands.remove(at: place)
            }
            holds[button] = hands.isEmpty ? nil : hands
            gestures.append(gesture(button, at: now))
        }
        return gestures
    }

    private func hands(on button: Button, at now: Instant) -> [Hold] {
        (holds[button] ?? []).filter { $0.until > now }
    }

    private func gesture(_ button: Button, at now: Instant) -> Gesture {
        guard let end = holds[button]?.map(\.until).max() else {
            return .release(button.control, button: button.place)
        }
        if end == .never { return .press(button.control, button: button.place) }
        return .click(button.control, button: button.place, hold: end - now)
    }
}

import DetentRuntime
import DetentTypes
import DetentWorld

/// Who holds which button down, so that it is down while anybody holds it.
struct Holdings: Equatable {
    /// A button of a control's part.
    private struct Button: Hashable {
        var control: ControlID
        var place: Int
    }

    private struct Hold: Equatable {
        var holder: HolderID
        var began: Instant
        /// When the finger goes up by itself; never for one that stays.
        var until: Instant
    }

    private var holds: [Button: [Hold]] = [:]

    /// A finger goes down, and up again at a moment.
    ///
    /// - Returns: what the hands now do to the button.
    mutating func hold(
        _ control: ControlID, _ place: Int, by holder: HolderID, from now: Instant,
        until end: Instant
    ) -> Gesture {
        let button = Button(control: control, place: place)
        var hands = hands(on: button, at: now).filter { $0.holder != holder }
        hands.append(Hold(holder: holder, began: now, until: end))
        holds[button] = hands
        return gesture(button, at: now)
    }

    /// A finger goes up, but not before `Gesture.clickHold` has passed: no hand is faster, and a
    /// browser that is late, or a clock that stands, may tell both of its moves at one moment.
    ///
    /// - Returns: what the hands now do to the button; nil where others hold it as before.
    mutating func release(
        _ control: ControlID, _ place: Int, by holder: HolderID, at now: Instant
    ) -> Gesture? {
        let button = Button(control: control, place: place)
        var before = hands(on: button, at: now)
        let others = before.filter { $0.holder != holder }.map(\.until).max() ?? .zero
        if let place = before.firstIndex(where: { $0.holder == holder }),
            case let soonest = before[place].began + Gesture.clickHold, soonest > now,
            soonest > others
        {
            before[place].until = min(before[place].until, soonest)
            holds[button] = before
            return gesture(button, at: now)
        }
        let after = before.filter { $0.holder != holder }
        holds[button] = after.isEmpty ? nil : after
        if after.count == before.count, !after.isEmpty { return nil }
        return gesture(button, at: now)
    }

    /// Somebody is gone. A click that it had begun still comes to its end.
    ///
    /// - Returns: what the hands now do to the buttons that it held.
    mutating func letGo(_ holder: HolderID, at now: Instant) -> [Gesture] {
        var gestures: [Gesture] = []
        for button in holds.keys.sorted(by: { ($0.control, $0.place) < ($1.control, $1.place) }) {
            var hands = hands(on: button, at: now)
            guard let place = hands.firstIndex(where: { $0.holder == holder }) else { continue }
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

import DetentTypes

/// `switch` and `toggle-button`: on or off, by a lever that holds its position or by a push button.
struct BinaryControl: Equatable, BitwiseCopyable {
    /// What the present press of a button has done, for tap-or-hold.
    private enum Press: Equatable, BitwiseCopyable {
        case none
        /// Turned on by this press, at that moment.
        case turnedOn(at: Instant)
        case wasOn
    }

    let latch: Latch
    private var press = Press.none

    init(latch: Latch) {
        self.latch = latch
    }

    @inline(__always)
    mutating func respond(to decoded: DecoderOutput, _ view: ResponseContext) -> Response {
        if decoded.gestures.contains(.moved) {
            return view.mismatch.response(
                to: decoded.position, from: view.positionBefore, desired: view.desired,
                toggled: view.desired == .on ? .off : .on)
        }
        if decoded.gestures.contains(.pressed) { return pressed(view) }
        if decoded.gestures.contains(.released) { return released(view) }
        return .nothing
    }

    private mutating func pressed(_ view: ResponseContext) -> Response {
        switch latch {
        case .toggle:
            return .set(view.desired == .on ? .off : .on)
        case .momentary:
            return .set(.on)
        case .tapOrHold:
            press = view.desired == .on ? .wasOn : .turnedOn(at: view.now)
            return view.desired == .on ? .nothing : .set(.on)
        }
    }

    private mutating func released(_ view: ResponseContext) -> Response {
        switch (latch, press) {
        case (.toggle, _):
            return .nothing
        case (.momentary, _):
            return .end(.off)
        case (.tapOrHold(let within), .turnedOn(let pressedAt)):
            press = .none
            return view.now - pressedAt <= within ? .nothing : .end(.off)
        case (.tapOrHold, .wasOn):
            press = .none
            return .set(.off)
        case (.tapOrHold, .none):
            return .nothing  // the press came before the panel started
        }
    }
}

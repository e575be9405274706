import DetentTypes

/// What a part that holds a position asks for when it moves.
extension MismatchPolicy {
    func response(
        to position: Value, from before: Value, desired: Value, toggled: Value
    ) -> Response {
        switch self {
        case .follow: .set(position)
        case .toggle: .set(toggled)
        // In step before the throw: it counts. Out of step: it only may meet the state.
        case .catchUp: before == desired ? .set(position) : .nothing
        case .detached: .nothing
        }
    }

    /// Whether a position that differs from the state is a mismatch to be shown.
    var showsMismatch: Bool {
        switch self {
        case .follow, .catchUp: true
        case .toggle, .detached: false
        }
    }
}

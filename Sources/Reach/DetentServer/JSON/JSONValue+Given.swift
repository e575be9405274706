import DetentPanel

extension JSONValue {
    /// A member's value; nil if the member is missing or null.
    func given(_ name: String) -> JSONValue? {
        guard let member = self[name] else { return nil }
        if case .null = member { return nil }
        return member
    }
}

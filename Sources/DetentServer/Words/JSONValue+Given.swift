import DetentPanel

extension JSONValue {
    /// A member that is given; nil where there is none of that name, and where it is null.
    func given(_ name: String) -> JSONValue? {
        guard let member = self[name] else { return nil }
        if case .null = member { return nil }
        return member
    }
}

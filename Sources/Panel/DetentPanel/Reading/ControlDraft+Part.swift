/// Controls without a part: nothing operates them at the panel, and nothing of them is on its
/// plate.
extension ControlDraft {
    /// Whether the file says that the control has no part, and its kind can do without.
    var hasNoPart: Bool {
        saysNoPart && schema.kind(named: self["kind"]?.text)?.canLackPart == true
    }

    private var saysNoPart: Bool { self["part"]?.text == FacePart.noPart }

    /// Whether these are contacts that the control lacks because it has no part.
    func lacksPart(_ kind: Kind, _ required: [String]) -> Bool {
        hasNoPart && kind.canLackPart && required.contains(where: Kind.contacts.contains)
    }

    /// Checks `part: none`: the kind must have a value without a part, and no key may be about one.
    func checkPart(of kind: Kind) {
        guard saysNoPart, let part = self["part"] else { return }
        guard kind.canLackPart else {
            let able = schema.kinds.filter(\.canLackPart).map(\.word)
            log.error(
                .partDoesNotFit, at: part.place, "a `\(kind.word)` cannot be without a part",
                help: "remove `part: none`; it is possible for: \(able.joined(separator: ", "))")
            return
        }
        refuse(Kind.ofLamps) {
            (
                "`\($0)` has no effect: a control without a part has no lamp",
                "add a control of `kind: indicator` with a `show` such as `\(id) is on`"
            )
        }
        let known = schema.keys(of: kind)
        refuse(Kind.ofParts.filter { known.contains($0) && !Kind.ofLamps.contains($0) }) {
            (
                "`\($0)` is about a part, and this control has none",
                "remove `\($0)`, or remove `part: none`"
            )
        }
    }
}

extension Kind {
    /// Keys that have a meaning only with a part on the plate.
    static let ofParts =
        ofLamps + contacts.sorted()
        + [
            "row", "at", "span", "debounce", "settle", "mismatch", "latch", "close-after",
            "confirm", "turn", "by",
        ] + gestures

    fileprivate static let ofLamps = ["indicator", "patterns"]

    /// The end of a help for a missing contact: that some kinds can do without.
    func wayWithoutPart(_ required: [String]) -> String {
        guard canLackPart, required.contains(where: Kind.contacts.contains) else { return "" }
        return " Or write `part: none`, if nothing at the panel operates it."
    }
}

extension FacePart {
    /// The word in `part:` for a control that has none.
    static let noPart = "none"
}

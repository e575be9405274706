import DetentCore

extension ControlPlan {
    /// The part that is mounted, and how many of it: that of the file, or that of the kind; nil
    /// where nothing of the control is on the plate.
    public var facePart: (part: FacePart, count: Int)? {
        guard let ofKind = defaultFacePart else { return nil }
        return (layout.part ?? ofKind.part, ofKind.count)
    }

    /// The part that operates a control of this kind, and how many of it.
    var defaultFacePart: (part: FacePart, count: Int)? {
        let contacts = Int(settings.partContacts)
        switch settings.decoder {
        case .none: return settings.indicator.lines.count > 0 ? (.lamp, 1) : nil
        case .button: return (settings.hasGuard ? .guardedButton : cap, 1)
        case .buttonRow: return (.key, max(1, contacts))
        case .lever: return (settings.hasGuard ? .guardedToggle : .miniToggle, 1)
        case .selector: return (look == .threeWay ? .miniToggle : .selectorKnob, 1)
        case .encoder: return (.knob, 1)
        case .analog: return (look == .knob ? .knob : .selectorKnob, 1)
        }
    }

    /// Commands carry their words on the cap; a cap that latches is a small one under its label.
    package var cap: FacePart { look.isWritten && isLabelled ? .legendButton : .pushButton }
}

import DetentCore
public import DetentPanel
public import DetentTypes

extension PanelPlan {
    /// The index of a button of a row by its word, or by its number from 1; nil if there is none.
    public func button(named word: String, of control: ControlID) -> Int? {
        let words = buttonWords(of: control)
        if let place = words.firstIndex(of: word) { return place }
        guard let number = Int(word), words.indices.contains(number &- 1) else { return nil }
        return number - 1
    }

    /// The gestures that the part of a control supports, for a message.
    public func possibleGestures(of control: ControlID) -> String {
        guard controls.indices.contains(Int(control.index)) else { return "name a control" }
        let controlPlan = controls[Int(control.index)]
        let words = controlPlan.valueNames.words.joined(separator: ", ")
        let pushes = "`press`, `release`, `click` or `hold`"
        let part: String
        switch controlPlan.settings.decoder {
        case .none: return "it has no part"
        case .button: part = "it is a push button: \(pushes) it"
        case .buttonRow:
            let names = buttonWords(of: control).joined(separator: ", ")
            part = "it is a row of buttons: \(pushes) one of \(names)"
        case .lever: part = "it is a lever: `flip` it to \(words)"
        case .selector where controlPlan.settings.nature == .threeWay:
            part = "it is a lever: `flip` it to \(words)"
        case .selector: part = "it is a selector: `select` one of \(words), or `turn` it"
        case .analog where controlPlan.look == .knob:
            let dial = controlPlan.settings.nature.range ?? NumberRange(minimum: 0, maximum: 0)
            let low = controlPlan.valueNames.name(of: Value(dial.minimum))
            let high = controlPlan.valueNames.name(of: Value(dial.maximum))
            part = "it is a potentiometer: `select` a number from \(low) to \(high), or `turn` it"
        case .analog: part = "it is a selector: `select` one of \(words), or `turn` it"
        case .encoder(let encoder):
            part = "it is a knob: `turn` it" + (encoder.push == nil ? "" : ", or \(pushes) it")
        }
        return controlPlan.settings.hasGuard ? part + "; `cover` opens and shuts its cover" : part
    }
}

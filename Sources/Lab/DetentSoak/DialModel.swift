import DetentCore
import DetentPanel
import DetentTypes

/// What dials must show: plain sums, held or wrapped within the range.
struct DialModel: Sendable {
    private struct Dial: Sendable {
        var range: NumberRange
        /// The value at each start; nil if it depends on what was before.
        var start: Int32?
        /// nil where edges were lost.
        var value: Int32?
    }

    private var dials: [ControlID: Dial] = [:]

    init(_ plan: PanelPlan) {
        for (place, control) in plan.controls.enumerated() {
            guard let range = control.settings.nature.range else { continue }
            let startup = control.settings.startup
            var dial = Dial(range: range)
            switch startup.rule {
            case .value(let value):
                dial.start = value.raw
                dial.value = value.raw
            case .saved: dial.value = startup.fallback.raw
            case .panel, .device: break
            }
            dials[ControlID(UInt16(place))] = dial
        }
    }

    func value(_ control: ControlID) -> Int32? { dials[control]?.value }

    mutating func turn(_ control: ControlID, _ detents: Int) {
        guard let dial = dials[control], var value = dial.value else { return }
        let range = dial.range
        for _ in 0..<abs(detents) {
            value += detents > 0 ? range.step : -range.step
            if value > range.maximum { value = range.wraps ? range.minimum : range.maximum }
            if value < range.minimum { value = range.wraps ? range.maximum : range.minimum }
        }
        dials[control]?.value = value
    }

    /// A remote request for a value; the dial refuses one out of its range.
    mutating func speak(_ control: ControlID, _ value: Value) {
        guard let range = dials[control]?.range, dials[control]?.value != nil,
            value.raw >= range.minimum, value.raw <= range.maximum
        else { return }
        dials[control]?.value = value.raw
    }

    mutating func forget(_ control: ControlID) {
        dials[control]?.value = nil
    }

    mutating func forgetAll() {
        for control in dials.keys { dials[control]?.value = nil }
    }

    /// The process has started anew: dials begin where the panel says.
    mutating func restart() {
        for (control, dial) in dials { dials[control]?.value = dial.start }
    }
}

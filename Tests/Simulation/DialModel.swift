import DetentCore
import DetentPanel
import DetentTypes

/// What dials must show: plain sums, held or wrapped within the range.
struct DialModel {
    private struct Dial {
        var range: DialSettings
        var start: Int32
        /// nil where edges were lost.
        var value: Int32?
    }

    private var dials: [ControlID: Dial] = [:]

    init(_ plan: PanelPlan) {
        for (place, control) in plan.controls.enumerated() {
            guard case .dial(let range) = control.settings.kind else { continue }
            var start = range.minimum
            if case .value(let value) = control.settings.startup.rule { start = value.raw }
            dials[ControlID(UInt16(place))] = Dial(range: range, start: start, value: start)
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

    /// Somebody outside asks for a value; the dial refuses one out of its range.
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

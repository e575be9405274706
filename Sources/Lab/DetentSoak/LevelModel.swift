import DetentCore
import DetentPanel
import DetentTypes

/// How strong outputs with levels must be at rest, by the words of docs/levels.md; the engine has
/// sums of its own.
struct LevelModel: Equatable, Sendable {
    private let dimmer: ControlID?

    init(_ plan: PanelPlan) { dimmer = plan.settings.dimmer }

    /// The lines of a control that have levels: of its outputs, and of a lamp that is not switched
    /// for its brightness.
    static func lines(of control: ControlID, _ plan: PanelPlan) -> [LineID] {
        let settings = plan[control].settings
        let lamps = settings.indicator.hasLevels ? Array(settings.indicator.lines.places) : []
        let outputs = settings.outputs.places.filter { plan.lines[$0].hasLevels }
        return (outputs + lamps).map { LineID(UInt16($0)) }
    }

    /// What is wrong with an output; nil if nothing is.
    func violation(
        _ output: ControlState.Output, of state: ControlState,
        _ states: [ControlID: ControlSnapshot], _ plan: PanelPlan
    ) -> String? {
        let control = plan[state.control]
        let told = Int(output.told.tenThousandths)
        let right: [Int]
        if control.settings.indicator.lines.places.contains(Int(output.line.index)) {
            right = [0, lamp(control.settings.indicator, states, plan)]
        } else if let range = control.settings.nature.range {
            guard control.settings.nature.has(state.snapshot.desired) else { return nil }
            right = [Self.share(of: state.snapshot.desired, in: range, of: 10_000)]
        } else {
            right = [0, 10_000]
        }
        guard !right.contains(told) else { return nil }
        return "line \(output.line.index) of `\(control.id)` is \(told), and must be "
            + right.map(String.init).joined(separator: " or ")
    }

    /// A lamp that is lit: its brightness, dimmed, and never nothing by rounding.
    private func lamp(
        _ indicator: IndicatorSettings, _ states: [ControlID: ControlSnapshot], _ plan: PanelPlan
    ) -> Int {
        var hundredths = 100
        if let dimmer, let state = states[dimmer], let range = plan[dimmer].settings.nature.range {
            hundredths = Self.share(of: state.desired, in: range, of: 100, isLit: false)
        }
        let product = Int(indicator.brightness) * hundredths
        return product == 0 ? 0 : max(product, 100)
    }

    /// How far a number is above the lowest of its range, in parts of the range. With `isLit`,
    /// every number above the lowest has at least one part.
    private static func share(
        of value: Value, in range: NumberRange, of parts: Int, isLit: Bool = true
    ) -> Int {
        let above = Int(value.raw) - Int(range.minimum)
        let share = above * parts / (Int(range.maximum) - Int(range.minimum))
        return isLit && above > 0 ? max(share, 1) : share
    }
}

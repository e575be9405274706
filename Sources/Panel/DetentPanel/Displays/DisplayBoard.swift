public import DetentCore
public import DetentTypes

/// What each display of a panel shows: the control that was touched last, and after a time the
/// first one again.
///
/// Time is passed in. Synchronization: none.
public struct DisplayBoard: Sendable {
    private struct Screen: Sendable {
        var display: DisplayPlan
        var text: DisplayText
        /// The control that was touched last, and when.
        var touched: (control: ControlID, at: Instant)?
    }

    private var screens: [Screen]
    /// What is known of each control.
    public private(set) var facts: [DisplayFacts]
    /// The display of each control.
    private let places: [Int?]

    /// Makes the boards of a panel; nothing is known yet.
    public init(_ plan: PanelPlan) {
        screens = plan.displays.map { Screen(display: $0, text: DisplayText($0, of: plan)) }
        facts = plan.controls.map { DisplayFacts($0.settings.nature) }
        places = plan.controls.indices.map { plan.display(of: ControlID(UInt16($0))) }
    }

    /// Makes the boards of a panel that follows another one.
    ///
    /// - Parameter former: what was known of the controls of the former panel; nil: nothing.
    public init(
        _ plan: PanelPlan, following former: [DisplayFacts]?, _ difference: PanelDifference
    ) {
        self.init(plan)
        for (place, control) in difference.controls.enumerated()
        where control.continuity == .everything {
            guard let old = control.former, let former, Int(old.index) < former.count else {
                continue
            }
            facts[place] = former[Int(old.index)]
        }
    }

    /// Follows a report.
    ///
    /// - Returns: the index of the display whose text may have changed; nil if none has.
    public mutating func record(_ report: Report, at now: Instant) -> Int? {
        let control = Int(report.control.index)
        guard facts.indices.contains(control), let place = places[control] else { return nil }
        let before = facts[control]
        let isShown = screens[place].touched?.control == report.control
        let isFree = isShown || !isHeld(place)
        facts[control].record(report.kind)
        let call = report.kind.displayCall
        // The time of an open list or of an action counts from its end.
        let isOver = isShown && before.isBusy && !facts[control].isBusy
        if call == .touch || (call == .news && isFree) || isOver {
            screens[place].touched = (report.control, now)
        }
        return before != facts[control] || call != .none ? place : nil
    }

    /// The rows of a display.
    public func rows(of display: Int, at now: Instant) -> [String] {
        guard let control = shown(display, at: now) else {
            return Array(repeating: "", count: screens[display].display.rows)
        }
        return screens[display].text.rows(control, facts[Int(control.index)])
    }

    /// When the rows of a display change without a report.
    public func deadline(of display: Int) -> Instant {
        guard let touched = screens[display].touched, !isHeld(display),
            screens[display].display.controls.first != touched.control
        else { return .never }
        return end(display, touched.at)
    }

    private func shown(_ display: Int, at now: Instant) -> ControlID? {
        let first = screens[display].display.controls.first
        guard let touched = screens[display].touched else { return first }
        return isHeld(display) || now < end(display, touched.at) ? touched.control : first
    }

    private func end(_ display: Int, _ touched: Instant) -> Instant {
        let span = screens[display].display.returnAfter
        return span == .zero ? .never : touched + span
    }

    /// Whether the control that was touched last has an open list, or is at work.
    private func isHeld(_ display: Int) -> Bool {
        screens[display].touched.map { facts[Int($0.control.index)].isBusy } ?? false
    }
}

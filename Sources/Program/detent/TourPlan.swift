import DetentCore
import DetentPanel
import DetentTypes

/// The steps of the tour, which uses every part once.
struct TourPlan {
    struct Step {
        var says: String
        /// The console command.
        var words: String
        /// Console commands before it, if actions are simulated.
        var device: [String] = []
        /// The pause before the next step.
        var pause = TimeSpan.milliseconds(1_200)

        /// The control of the step.
        var control: String {
            words.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        }
    }

    private(set) var steps: [Step] = []
    private let plan: PanelPlan

    init(_ plan: PanelPlan) {
        self.plan = plan
        for (place, control) in plan.controls.enumerated() {
            if control.settings.hasGuard {
                add("Lift the cover of \(control.label)", "cover \(control.id) open")
            }
            add(control, ControlID(UInt16(place)))
            if control.settings.hasGuard {
                add("Close the cover of \(control.label)", "cover \(control.id) shut")
            }
        }
        if let slow = plan.controls.first(where: { Self.isFlipped($0) }) { addOutcomes(slow) }
    }

    private mutating func add(
        _ says: String, _ words: String, pause: TimeSpan = .milliseconds(1_200)
    ) {
        steps.append(Step(says: says, words: words, pause: pause))
    }

    /// The same switch with a slow device, and with a failing one.
    private mutating func addOutcomes(_ slow: ControlPlan) {
        steps.append(
            Step(
                says: "Flip \(slow.label) off; its action takes a second, and the lamp blinks",
                words: "flip \(slow.id) off", device: ["takes 1s"]))
        steps.append(
            Step(
                says: "Flip \(slow.label) on; its action fails, and the lamp shows it",
                words: "flip \(slow.id) on", device: ["takes 400ms", "fail"]))
    }

    private static func isFlipped(_ control: ControlPlan) -> Bool {
        if case .lever = control.settings.decoder { return control.valueNames == .onOff }
        return false
    }

    private mutating func add(_ control: ControlPlan, _ id: ControlID) {
        if let navigation = plan.navigation(of: control) {
            return addNavigation(control, navigation)
        }
        switch control.settings.decoder {
        case .none:
            // Groups without buttons, forms and mirrors follow other controls; a chord is shown
            // with its members.
            addContract(control, id)
        case .button: addContract(control, id)
        case .buttonRow:
            guard let last = plan.buttonWords(of: id).last else { return }
            add("Press \(last) of \(control.label)", "click \(control.id) \(last)")
        case .lever:
            add(
                "Flip \(control.label); its contact bounces, its value does not",
                "flip \(control.id) \(control.valueNames.words.last ?? "on")")
        case .selector:
            guard let last = control.valueNames.words.last else { return }
            add(
                "Turn \(control.label) to \(last)",
                "select \(control.id) \(last)")
        case .analog(let analog):
            let middle = control.valueNames.name(of: analog.value(at: analog.positions / 2))
            add("Turn \(control.label) to \(middle)", "select \(control.id) \(middle)")
        case .encoder:
            add(
                "Turn \(control.label) three detents",
                "turn \(control.id) +3")
        }
    }

    /// A button, with the gestures that confirm it.
    private mutating func addContract(_ control: ControlPlan, _ id: ControlID) {
        let confirm = plan.relation(of: control)?.confirm ?? .none
        let click = "click \(control.id)"
        if case .chord(let hold) = confirm { return addChord(control, id, hold) }
        if control.settings.decoder == .none { return }
        switch confirm {
        case .none, .guarded, .chord:
            add("Press \(control.label)", click)
        case .hold(let time):
            let words = DurationText.text(time + .milliseconds(200))
            add(
                "Hold \(control.label) to confirm it", "hold \(control.id) \(words)",
                pause: time + .milliseconds(1_200))
        case .pressTwice(let within):
            let half = TimeSpan(nanoseconds: within.nanoseconds / 2)
            add("Press \(control.label): nothing happens yet", click, pause: half)
            add("Press \(control.label) a second time to confirm it", click)
        case .arm(let time):
            // It is armed half a second after the release.
            let middle = TimeSpan(nanoseconds: (time.nanoseconds + 500_000_000) / 2)
            add("Press \(control.label) to arm it", click, pause: middle)
            add("Press \(control.label) again while it is armed", click)
        }
    }

    private mutating func addChord(_ control: ControlPlan, _ id: ControlID, _ hold: TimeSpan) {
        let own = control.settings.decoder == .none ? [] : [id]
        let buttons = (own + plan.members(of: control)).map { plan[$0].id }
        for button in buttons {
            add(
                "Hold \(button) for \(control.label)", "press \(button)", pause: .zero
            )
        }
        guard !steps.isEmpty, !buttons.isEmpty else { return }
        steps[steps.count - 1].pause = hold + .milliseconds(300)
        for button in buttons { add("Release \(button)", "release \(button)", pause: .zero) }
        steps[steps.count - 1].pause = .milliseconds(1_200)
    }

    /// Chooses an option of several; in a menu of commands it only moves, because some are
    /// destructive.
    private mutating func addNavigation(_ control: ControlPlan, _ navigation: NavigationSettings) {
        let id = control.id
        let hold = "hold \(id) \(DurationText.text(control.holdTime + .milliseconds(200)))"
        let (open, next, choose): (String, String, String) =
            switch navigation.hardware {
            case .encoder: ("click \(id)", "turn \(id) +1", "click \(id)")
            case .buttons: ("click \(id) select", "click \(id) down", "click \(id) select")
            case .oneButton: (hold, "click \(id)", hold)
            }
        if case .menu = navigation.style { add("Open \(control.label)", open) }
        add("Move to the next item in \(control.label)", next)
        if case .followTurn = navigation.style { return }
        if control.settings.nature.role == .events { return }
        add("Choose it", choose)
    }
}

extension ControlPlan {
    /// How long a hold of its button takes; zero if it has none.
    fileprivate var holdTime: TimeSpan { settings.decoder.button?.hold ?? .zero }
}

import DetentCore
import DetentHAL
import DetentTypes

/// Collects the lines and actions of a panel while its controls are read.
final class PanelBuilder {
    let log: ProblemLog
    let schema: Schema
    private(set) var resolver: LineResolver
    let patterns: PatternChoice
    /// The `colors` of the panel.
    let colors: YAMLNode?
    /// Functions of the board that are switched off.
    let free: [String]
    /// Whether the panel has a broker, through which messages go and feedback can come.
    let hasBroker: Bool
    /// That broker; nil also if its keys have problems.
    let broker: BrokerPlan?
    /// Whether a control of the panel has members.
    var hasMembers = true
    private(set) var lines: [LinePlan] = []
    private(set) var actions: [ActionPlan] = []
    /// The gestures that act, in the order of their controls.
    var gestures: [GesturePlan] = []
    /// Work that needs all controls, in the order of the file.
    private var later: [(PanelRelations) -> Void] = []
    /// The steps of the actions of the control that is being read.
    var pendingSteps: [StepsDraft] = []
    /// The terms of the line of each serial device, as the file has them.
    var serialTerms: [String: [String]] = [:]
    private var claims: [String: Claim] = [:]
    /// Lines that have no resistor, in the order of the file.
    private var missingPulls = MissingPulls()
    private var busLoad = BusLoad()

    /// The use of a line.
    private struct Claim {
        var place: SourcePlace
        var control: String
        var isDriven: Bool
        /// The line of the plan, if steps drive it.
        var step: LineID?
    }

    init(
        log: ProblemLog, schema: Schema, ground: LineResolver.Ground, patterns: PatternChoice,
        colors: YAMLNode?, free: [String], hasBroker: Bool,
        broker: BrokerPlan?
    ) {
        self.hasBroker = hasBroker
        self.broker = broker
        self.free = free
        self.log = log
        self.schema = schema
        self.patterns = patterns
        self.colors = colors
        resolver = LineResolver(ground: ground, log: log)
    }

    /// Adds work for `performLater`.
    func later(_ work: @escaping (PanelRelations) -> Void) {
        let control = log.control
        later.append { [log] in
            log.control = control
            work($0)
        }
    }

    /// Performs the work that needs all controls. The work holds this builder, which lets go of it.
    func performLater(_ relations: PanelRelations) {
        let all = later
        later = []
        for work in all { work(relations) }
        log.control = nil
    }

    /// The index of the next line.
    var nextLine: UInt16 { UInt16(clamping: lines.count) }
    var nextAction: ActionID { ActionID(UInt16(clamping: actions.count)) }

    func add(_ action: ActionPlan) -> ActionID {
        let id = nextAction
        actions.append(action)
        return id
    }

    /// Adds a contact; problems with its line go to the log.
    func addContact(
        _ node: YAMLNode, of control: ControlDraft, debounce: DebounceSettings,
        isEncoder: Bool = false
    ) {
        guard let line = claim(node, by: control, isDriven: false) else { return }
        addContact(line, of: control, debounce: debounce, isEncoder: isEncoder)
    }

    /// Adds the contacts of an encoder that is an axis of another device.
    func addAxis(_ node: YAMLNode, of control: ControlDraft) {
        for channel in ChannelKind.axis(node, log) ?? [] {
            let line = resolver.line(of: channel, node)
            guard claim(line, by: control, isDriven: false, step: nil) else { return }
            addContact(line, of: control, debounce: .none, isEncoder: true)
        }
    }

    /// Adds the channel of a converter.
    func addAnalog(_ node: YAMLNode, of control: ControlDraft, _ settings: AnalogSettings) {
        guard var channel = ChannelKind.analogChannel(node) else { return }
        channel.tolerance = settings.tolerance
        let line = resolver.line(of: channel, node)
        guard claim(line, by: control, isDriven: false, step: nil) else { return }
        addContact(line, of: control, debounce: .none, isEncoder: false)
    }

    private func addContact(
        _ line: ResolvedLine, of control: ControlDraft, debounce: DebounceSettings,
        isEncoder: Bool
    ) {
        guard line.channel?.kind.hasLevels != true else {
            return log.error(
                .keyNotForKind, at: line.place,
                "`\(ChannelKind.kind(of: line.node)?.keys[0].name ?? "")` is valid only for lamps "
                    + "and outputs, not for contacts",
                help: "use a line of a chip, or a key of an input device")
        }
        let bias =
            ContactPlan.Bias(word: line.node["bias"]?.text) ?? line.named?.bias ?? Defaults.bias
        if line.channel == nil { warnAboutBias(bias, of: line, of: control) }
        let interrupts = line.chip.map { $0.edges != .none && line.pin?.hasInterrupt != false }
        var polled = line.node["poll"]?.durationValue
        if let model = line.model {
            let isPolled = line.named != nil && line.named?.hasInterrupt == false
            if isPolled, polled == nil {
                polled = Defaults.polling
                if isEncoder { warnAboutPolledEncoder(line) }
            }
            if polled != nil {
                let device = line.platformDevice ?? line.name
                busLoad.add(lines.count, on: device, model, poll: line.node["poll"])
            }
        }
        if interrupts == false {
            polled = polled ?? Defaults.polling
            if isEncoder { warnAboutPolledEncoder(line) }
        }
        // The device itself says when a key is pressed.
        let isElectrical = line.channel == nil
        let contact = ContactPlan(
            bias: isElectrical ? bias : .asIs, debounce: debounce, polledEvery: polled)
        append(
            line, .contact(contact), isActiveLow: isActiveLow(line, default: isElectrical), control
        )
    }

    private func warnAboutPolledEncoder(_ line: ResolvedLine) {
        log.warning(
            .noInterrupt, at: line.place,
            "`\(quoted(line.name))` has no interrupt, and a polled encoder loses steps",
            help: "use a line with interrupts; polled every "
                + DurationText.text(line.node["poll"]?.durationValue ?? Defaults.polling))
    }

    /// Takes the chips of the file, and reserves the lines of their interrupts.
    func name(_ chips: [ChipPlan], _ node: YAMLNode?) -> [ChipPlan] {
        resolver.chips = chips
        var chips = chips
        for place in chips.indices {
            guard let wire = node?[chips[place].name]?["interrupt"],
                let line = resolver.resolve(wire)
            else { continue }
            chips[place].interruptOffset = line.pin == nil ? nil : line.offset
            claims[line.identity] = Claim(
                place: line.place, control: "the interrupt of \(chips[place].name)",
                isDriven: false, step: nil)
            warnAboutPin(line)
        }
        return chips
    }

    /// The lines, when all controls have been read.
    func settledLines() -> [LinePlan] {
        missingPulls.report(log)
        busLoad.settle(&lines, log)
        return lines
    }

    /// Adds a lamp or an output; `refusing` are the keys that only contacts have.
    func addDriven(
        _ node: YAMLNode, of control: ControlDraft, _ use: LinePlan.Use,
        refusing: [String] = ["bias", "poll"]
    ) {
        guard let line = claim(node, by: control, isDriven: true) else { return }
        guard checkDrivable(line) else { return }
        line.node.refuse(refusing, log, .keyNotForKind) {
            ("`\($0)` is valid only for contacts, not for outputs", "remove it")
        }
        append(line, use, isActiveLow: isActiveLow(line, default: false), control)
    }

    /// Whether lines that were added are outputs with levels, all of them.
    func haveLevels(_ range: PlanRange) -> Bool {
        let places = range.places.clamped(to: lines.indices)
        return !places.isEmpty && places.count == Int(range.count)
            && places.allSatisfy { lines[$0].hasLevels }
    }

    /// Adds an output that steps drive. Steps of one control may share one; nil with a problem in
    /// the log.
    func addStepOutput(_ node: YAMLNode, of control: ControlDraft) -> LineID? {
        guard let line = resolver.resolve(node) else { return nil }
        if let first = claims[line.identity], first.control == control.id, let shared = first.step {
            let isLow = lines[Int(shared.index)].isActiveLow
            guard isActiveLow(line, default: isLow) != isLow else { return shared }
            return log.refuse(
                .conflictingKeys, at: line.place,
                "`\(quoted(line.name))` is active \(isLow ? "low" : "high") at its first use, at "
                    + "line \(first.place.line), column \(first.place.column)",
                help: "write the same `active` in both places", related: first.place)
        }
        let id = LineID(nextLine)
        guard claim(line, by: control, isDriven: true, step: id), checkDrivable(line) else {
            return nil
        }
        append(
            line, .output(exit: control.exitLevel), isActiveLow: isActiveLow(line, default: false),
            control)
        return id
    }

    /// Whether a contact is closed at the low level.
    func isActiveLow(_ node: YAMLNode?) -> Bool { node?["active"]?.text != "high" }

    private func isActiveLow(_ line: ResolvedLine, default isLow: Bool) -> Bool {
        line.node["active"]?.text.map { $0 == "low" } ?? isLow
    }

    private func append(
        _ line: ResolvedLine, _ use: LinePlan.Use, isActiveLow: Bool, _ control: ControlDraft
    ) {
        var channel = line.channel
        channel?.isLamp = use == .indicator
        lines.append(
            LinePlan(
                name: line.name, control: control.control, use: use, isActiveLow: isActiveLow,
                lineNames: line.lineNames, chipLabels: line.chipLabels,
                platformDevice: line.platformDevice, offset: line.offset, channel: channel,
                chipModel: line.model))
    }

    private func claim(
        _ node: YAMLNode, by control: ControlDraft, isDriven: Bool
    ) -> ResolvedLine? {
        guard let line = resolver.resolve(node) else { return nil }
        return claim(line, by: control, isDriven: isDriven, step: nil) ? line : nil
    }

    private func claim(
        _ line: ResolvedLine, by control: ControlDraft, isDriven: Bool, step: LineID?
    ) -> Bool {
        if let first = claims[line.identity] {
            log.error(
                .pinUsedTwice, at: line.place,
                "`\(quoted(line.name))` is used twice; first by `\(quoted(first.control))` at line "
                    + "\(first.place.line), column \(first.place.column)",
                help: remedy(first, isDriven: isDriven, byStepOf: step == nil ? nil : control.id),
                related: first.place)
            return false
        }
        claims[line.identity] = Claim(
            place: line.place, control: control.id, isDriven: isDriven, step: step)
        warnAboutPin(line)
        return true
    }

    private func remedy(_ first: Claim, isDriven: Bool, byStepOf control: String?) -> String {
        guard isDriven, first.isDriven else { return "give one of the two another line" }
        guard let control else {
            return "let one control drive it, or use two lines"
        }
        return control == first.control
            ? "this line already follows the control's value; remove it in one place"
            : "let `\(quoted(first.control))` drive it, and `set` that control here"
    }

    /// Whether the line can be an output, or only its pin is refused.
    private func checkDrivable(_ line: ResolvedLine) -> Bool {
        if let channel = line.channel, ChannelKind.kind(of: line.node)?.isInput == true {
            log.error(
                .pinInputOnly, at: line.place,
                "`\(quoted(channel.name))` of \"\(quoted(channel.device))\" is an input",
                help: "use a line of a chip for a lamp or an output")
            return false
        }
        guard line.pin?.isInputOnly == true else { return true }
        log.error(
            .pinInputOnly, at: line.place, "`\(quoted(line.name))` is input-only",
            help: "use another line; this one is suitable for a contact")
        return true
    }

    private func warnAboutPin(_ line: ResolvedLine) {
        guard let pin = line.pin else { return }
        if pin.kind == .gpioUnverified {
            log.warning(
                .pinUnverified, at: line.place,
                "`\(quoted(line.name))`: its line number comes from one source only, or sources "
                    + "disagree",
                help: "measure it before wiring, or use a verified pin")
        }
        let function = pin.defaultFunction
        let isFree = function.map { free.contains($0) } ?? false
        if let warning = pin.warning {
            if isFree, pin.warns(about: function ?? "") { return }
            log.warning(
                .pinHasFunction, at: line.place, "`\(quoted(line.name))`: \(warning)",
                help: "use another pin if this applies to you")
        } else if let bus = pin.bus, !isFree {
            log.warning(
                .pinHasFunction, at: line.place,
                "`\(quoted(line.name))` is also \(bus), which other software may use",
                help: function.map {
                    "use another pin, or switch the bus off and write "
                        + "`board: {name: …, free: [\($0)]}`"
                } ?? "use another pin, or keep that bus switched off")
        }
    }

    private func warnAboutBias(
        _ bias: ContactPlan.Bias, of line: ResolvedLine, of control: ControlDraft
    ) {
        guard bias == .pullUp || bias == .pullDown else { return }
        let fix = MissingPulls.fix(line, of: control.node)
        guard let chip = line.chip else {
            guard let label = line.named?.name ?? line.chipLabels.first,
                let fault = line.model?.fault(of: bias.line, in: "`\(quoted(label))`", fix: fix)
            else { return }
            return missingPulls.add(line, fault)
        }
        if let fixed = line.pin?.fixedPull {
            guard bias == .pullDown, fixed.contains("pull-up") else { return }
            log.warning(
                .noPull, at: line.place,
                "`\(quoted(line.name))` has a \(fixed), which is stronger than any pull-down",
                help: "wire the contact to ground, or use another pin")
            return
        }
        let resistor =
            bias == .pullUp ? "from the line to the logic voltage" : "from line to ground"
        switch chip.bias {
        case .works:
            return
        case .ignored:
            log.warning(
                .noPull, at: line.place,
                "the board ignores the pull configured for `\(quoted(line.name))`",
                help: "fit a resistor of 10 kΩ \(resistor), and write `\(fix)`")
        case .unknown:
            log.warning(
                .noPull, at: line.place,
                "it is unknown whether the board has the pull configured for "
                    + "`\(quoted(line.name))`",
                help: "measure it, or fit a resistor of 10 kΩ \(resistor)")
        }
    }
}

import DetentTypes

@testable import DetentCore

/// Checkboxes, groups of them, groups of groups and a form, each looked at afresh after whatever
/// happens. Conditions and members name only controls that stand before them.
struct PlainTree {
    enum Node {
        case leaf
        case group([Int])
        case form([Int])
        case apply(Int)
        case cancel(Int)
    }

    var nodes: [Node] = []
    var conditions: [PlainExpression?] = []
    var follows: [Bool] = []
    var controls: [PlainControl] = []
    /// The form of each control that is a member of one.
    var forms: [Int?] = []
    private(set) var disabled: [Bool] = []

    mutating func add(
        _ node: Node, _ control: PlainControl = PlainControl(), when: PlainExpression? = nil,
        follows: Bool = false
    ) {
        nodes.append(node)
        controls.append(control)
        conditions.append(when)
        self.follows.append(follows)
        forms.append(nil)
        disabled.append(false)
    }

    // MARK: What is seen

    func desired(_ place: Int) -> Int32 {
        switch nodes[place] {
        case .leaf: return controls[place].desired
        case .group(let members):
            let values = Set(counted(members).map { desired($0) })
            return values.count == 1 ? values.first! : 2
        case .form(let members): return members.contains { controls[$0].staged != nil } ? 1 : 0
        case .apply, .cancel: return 0
        }
    }

    func actual(_ place: Int) -> Int32? {
        switch nodes[place] {
        case .leaf: return controls[place].actual
        case .group(let members):
            let values = counted(members).map { actual($0) }
            if values.contains(nil) { return nil }
            return Set(values).count == 1 ? values[0] : 2
        case .form: return desired(place)
        case .apply, .cancel: return nil
        }
    }

    func phase(_ place: Int) -> Phase {
        switch nodes[place] {
        case .leaf: return controls[place].phase
        case .group(let members), .form(let members):
            let phases = members.map { phase($0) }
            return [.failed, .loading, .pending].first { phases.contains($0) } ?? .idle
        case .apply(let form): return phase(form)
        case .cancel: return .idle
        }
    }

    func flags(_ place: Int) -> Flag {
        var flags: Flag = disabled[place] ? .disabled : []
        switch nodes[place] {
        case .leaf:
            if actual(place) == nil { flags.insert(.unconfirmed) }
        case .group:
            if actual(place) == nil { flags.insert(.unconfirmed) }
            // All members are at rest, and one of them has another value than it shows.
            if desired(place) == 2 { flags.insert(.mixed) }
        case .form, .apply, .cancel: break
        }
        return flags
    }

    /// The members that a group is made of: the enabled ones, or all where none is.
    private func counted(_ members: [Int]) -> [Int] {
        let enabled = members.filter { !disabled[$0] }
        return enabled.isEmpty ? members : enabled
    }

    // MARK: What happens

    mutating func ask(_ place: Int, _ value: Int32, _ now: Int, isApplied: Bool = false) -> Bool {
        guard !disabled[place], value == 0 || value == 1 else { return false }
        switch nodes[place] {
        case .form, .apply, .cancel:
            return false
        case .group(let members):
            var isAccepted = true
            for member in members where !disabled[member] {
                if !ask(member, value, now) { isAccepted = false }
            }
            return isAccepted
        case .leaf:
            break
        }
        if let form = forms[place], !isApplied {
            if disabled[form] { return false }
            controls[place].staged = value == controls[place].desired ? nil : value
            return true
        }
        return change(place) { $0.ask(value, now) }
    }

    mutating func fire(_ place: Int, _ now: Int) {
        guard !disabled[place] else { return }
        switch nodes[place] {
        case .leaf, .group, .form: return
        case .apply(let form):
            guard !disabled[form], case .form(let members) = nodes[form] else { return }
            for member in members {
                guard let staged = controls[member].staged else { continue }
                if ask(member, staged, now, isApplied: true) { controls[member].staged = nil }
            }
        case .cancel(let form):
            guard case .form(let members) = nodes[form] else { return }
            for member in members { controls[member].staged = nil }
        }
    }

    /// What is true already is not staged any more.
    mutating func change<Result>(_ place: Int, _ work: (inout PlainControl) -> Result) -> Result {
        defer {
            if controls[place].staged == controls[place].desired { controls[place].staged = nil }
        }
        return work(&controls[place])
    }

    /// Enables and disables after something happened.
    mutating func settle(_ now: Int, isStart: Bool = false) {
        look(now, isStart: isStart)
        pass(now)
    }

    /// Does what is due at `now`.
    mutating func pass(_ now: Int) {
        for place in controls.indices {
            while change(place, { $0.pass(now) }) { look(now) }
        }
    }

    private mutating func look(_ now: Int, isStart: Bool = false) {
        for place in nodes.indices {
            var isDisabled = false
            if let condition = conditions[place] {
                isDisabled = !condition.holds { actual($0) }
            }
            if case .group(let members) = nodes[place], members.allSatisfy({ disabled[$0] }) {
                isDisabled = true
            }
            let isNew = disabled[place] && !isDisabled
            disabled[place] = isDisabled
            guard isNew, follows[place], !isStart, case .leaf = nodes[place] else { continue }
            let control = controls[place]
            if control.actual != control.desired {
                _ = change(place) { $0.ask(control.desired, now) }
            }
        }
    }
}

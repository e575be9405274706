import DetentCore
import DetentPanel
import DetentTypes

/// Which form and which parent each control of a panel has.
struct FaceMembers {
    /// What a control does in a form.
    enum Role: Equatable {
        /// It is in no form.
        case none
        /// Its value is staged by the form.
        case member(form: Int)
        /// It is the form, which shows the status.
        case status(form: Int)
        /// It applies the form or drops what is staged.
        case button(form: Int)

        /// The form; nil where there is none.
        var form: Int? {
            switch self {
            case .none: nil
            case .member(let form), .status(let form), .button(let form): form
            }
        }

        /// The order in a form.
        var rank: Int {
            switch self {
            case .none, .member: 0
            case .status: 1
            case .button: 2
            }
        }
    }

    /// The role of each control.
    private(set) var roles: [Role]
    /// The group of checkboxes that each control is a member of, if it is in the same box.
    private(set) var parents: [Int?]

    /// Reads the relations of all controls.
    init(_ plan: PanelPlan) {
        roles = plan.controls.indices.map { Self.role(of: $0, plan) }
        parents = Array(repeating: nil, count: plan.controls.count)
        for (parent, control) in plan.controls.enumerated()
        where control.settings.nature.role == .group {
            for member in plan.members(of: control).map({ Int($0.index) })
            where plan.controls[member].layout.group == control.layout.group {
                parents[member] = parent
            }
        }
    }

    private static func role(of control: Int, _ plan: PanelPlan) -> Role {
        if plan.controls[control].settings.nature.role == .form { return .status(form: control) }
        switch plan.relation(of: plan.controls[control])?.form ?? .none {
        case .none: return .none
        case .member(let form): return .member(form: Int(form.index))
        case .apply(let form), .cancel(let form): return .button(form: Int(form.index))
        }
    }

    /// How many groups of checkboxes of its box a control is inside of.
    func depth(of control: Int) -> Int {
        var (depth, place) = (0, parents[control])
        while let parent = place, depth < parents.count {
            depth += 1
            place = parents[parent]
        }
        return depth
    }
}

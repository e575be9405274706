public import DetentPanel
public import DetentTypes

/// What a panel needs of its machine, and its package does not bring.
public enum NeededPrograms {
    /// A finding if the panel has `key` actions.
    ///
    /// - Parameter problem: why no input device can be made; nil if one can. It is looked up only
    ///   for such a panel, because that may load a module of the kernel.
    public static func keys(
        _ plan: PanelPlan, problem: @autoclosure () -> (cause: String, remedy: String)?
    ) -> [Finding] {
        let pressesKeys = plan.actions.contains {
            guard case .call(let call) = $0.command else { return false }
            return call.carrier == .keys
        }
        guard pressesKeys else { return [] }
        guard let problem = problem() else { return [.fine("`key` actions can press keys")] }
        return [.problem("no `key` action can press a key: \(problem.cause)", problem.remedy)]
    }

    /// A finding if the panel has `http` actions or feedback whose requests `curl` makes.
    ///
    /// - Parameters:
    ///   - hasCurl: whether `curl` is in PATH.
    ///   - needsCurl: whether a request with these keys needs it.
    public static func findings(
        _ plan: PanelPlan, hasCurl: Bool, needsCurl: ([ActionField]) -> Bool
    ) -> [Finding] {
        let asksServices = plan.actions.contains {
            guard case .call(let call) = $0.command, call.carrier == .web else { return false }
            return needsCurl(call.fields)
        }
        let repeats = plan.controls.contains {
            guard case .request(let fields, _)? = $0.feedback?.source else { return false }
            return needsCurl(fields)
        }
        guard asksServices || repeats else { return [] }
        let users = asksServices ? "actions" : "feedback"
        if hasCurl { return [.fine("`http` \(users) \(asksServices ? "have" : "has") `curl`")] }
        return [
            .problem(
                "the panel has `http` \(users), and `curl` is not in PATH",
                "run `sudo apt install curl`")
        ]
    }
}

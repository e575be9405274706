public import DetentPanel

/// The programs that a panel needs and its package does not bring.
public enum NeededPrograms {
    /// A finding if the panel has `http` actions or feedback: `curl` makes their requests.
    ///
    /// - Parameter hasCurl: whether `curl` is in PATH.
    public static func findings(_ plan: PanelPlan, hasCurl: Bool) -> [Finding] {
        let asksServices = plan.actions.contains {
            if case .call(let call) = $0.command { call.kind == "http" } else { false }
        }
        let repeats = plan.controls.contains {
            if case .request? = $0.feedback?.source { true } else { false }
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

public import DetentPanel

/// The programs that a panel needs and its package does not bring.
public enum NeededPrograms {
    /// A finding if the panel has `http` actions: `curl` makes their requests.
    ///
    /// - Parameter hasCurl: whether `curl` is in PATH.
    public static func findings(_ plan: PanelPlan, hasCurl: Bool) -> [Finding] {
        let asksServices = plan.actions.contains {
            if case .call(let call) = $0.command { call.kind == "http" } else { false }
        }
        guard asksServices else { return [] }
        if hasCurl { return [.fine("`http` actions have `curl`")] }
        return [
            .problem(
                "the panel has `http` actions, and `curl` is not in PATH",
                "run `sudo apt install curl`")
        ]
    }
}

import DetentPanel

/// The problem document of a refused request.
struct ProblemDocument {
    /// The cause.
    var title: String
    /// The remedy.
    var detail: String
    /// The token that confirms the request; nil if no confirmation is required.
    var confirm: String?

    /// Reads the problem document of a response; nil if it is not from a panel.
    init?(_ answer: DaemonClient.Answer) {
        guard PanelDocument.hasType("application/problem+json", answer),
            let value = try? JSONReader.read(answer.body),
            value["status"]?.whole == answer.status,
            let title = value["title"]?.text, let detail = value["detail"]?.text
        else { return nil }
        self.title = title
        self.detail = detail
        confirm = value["confirm"]?.text
    }
}

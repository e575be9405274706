import DetentPanel

/// What a panel says of a request that it refused.
struct ProblemDocument {
    /// The cause.
    var title: String
    /// What would help.
    var detail: String
    /// The token that confirms the request; nil where none is asked for.
    var confirm: String?

    /// Reads the document of an answer; nil where it is not one of a panel.
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

import DetentPanel

/// What a daemon says of a request that it refused.
struct ProblemDocument {
    /// The cause.
    var title: String?
    /// What would help.
    var detail: String?
    /// The token that confirms the request; nil where none is asked for.
    var confirm: String?

    /// Reads a document; everything is nil where it is none.
    init(_ bytes: [UInt8]) {
        guard let value = try? JSONReader.read(bytes) else { return }
        title = value["title"]?.text
        detail = value["detail"]?.text
        confirm = value["confirm"]?.text
    }
}

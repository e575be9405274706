/// Requests to web services.
extension ActionKind {
    private static let section = Section.actionKind(
        title: "HTTP action",
        summary: "A request to a web service; done when it answers with a status from 200 to 299.")
    private static let confirm = Section.actionKind(
        title: "HTTP confirmation",
        summary: "Where the answer of a web service has the value of the device.")

    private static func method(_ word: String, _ name: String) -> KeySpec {
        KeySpec(section, word, .address(.web), "The address of a request with the method \(name).")
    }

    static let http = ActionKind(
        "http", .runner, .section(section),
        "A request to a web service. `{value}`, `{previous}`, `{control}` and `{origin}` are "
            + "replaced, and `${env:NAME}` and `${file:PATH}` by a secret.",
        sections: [section, confirm],
        keys: [
            method("get", "GET"), method("put", "PUT"), method("post", "POST"),
            method("patch", "PATCH"), method("delete", "DELETE"),
            KeySpec(
                section, "headers", .texts(1...Limits.headers),
                "Headers of the request, such as `{Authorization: \"Bearer ${file:/etc/key}\"}`."),
            KeySpec(
                section, "body", .body,
                "The body of the request. Write its `Content-Type` in `headers`."),
            KeySpec(
                section, "confirm", .section(confirm),
                "The action is done only if the answer says the value of the device; that value is "
                    + "then shown."),
            KeySpec(
                confirm, "pointer", .text, isRequired: true,
                "The place of the value in the JSON of the answer, such as `/state/power`."),
        ],
        oneOf: ["get", "put", "post", "patch", "delete"], carrier: .web)
}

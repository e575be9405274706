public import DetentPanel
import DetentRuntime
public import DetentTypes

/// Who may see and change the panel file through the page of a simulation, and how that is done.
///
/// It is one file, which a path of a request does not name. A request needs the role `configure`,
/// and a token of its own in the header `Detent-Edit`: other pages and other programs of this
/// machine do not know it. Only the printed address has it.
public struct FileAccess: Sendable {
    /// What a page asks.
    public enum Request: Equatable, Sendable {
        /// The text of the file and its revision.
        case read
        /// The problems of a text; with what would remove them, which takes longer.
        case check(String, withFixes: Bool)
        /// Replaces the text of the file, if it still has a revision.
        case save(String, over: String)
    }

    /// Why the file was not read or saved.
    public struct Refusal: DescribedError, Equatable, Sendable {
        /// The cause, in one line.
        public var cause: String
        /// The remedy, in one line.
        public var remedy: String
        /// Whether the file is not the one that was read.
        public var isConflict: Bool

        /// Makes a refusal.
        public init(cause: String, remedy: String, isConflict: Bool = false) {
            self.cause = cause
            self.remedy = remedy
            self.isConflict = isConflict
        }
    }

    private let token = AccessToken(role: .configure, text: ConfirmTokens.unguessable())
    private let answer: @Sendable (Request) -> Result<JSONValue, Refusal>

    /// Gives access to a file.
    ///
    /// - Parameter answer: answers a page; called on threads of their own, two at a time at most.
    public init(answer: @escaping @Sendable (Request) -> Result<JSONValue, Refusal>) {
        self.answer = answer
    }

    /// What the address of the page has behind `#`.
    var fragment: String { "edit=" + token.text }

    /// Why a request is refused; nil if it has the token.
    func refusal(of request: HTTPRequest) -> APIError? {
        guard request.value("detent-edit").map(token.isSame) ?? false else {
            return APIError(
                403, "The panel file needs the token of the address that `detent sim` printed",
                "open that address, or send the text behind `edit=` in the header `Detent-Edit`")
        }
        return nil
    }

    /// Answers a request whose body was read.
    func respond(to request: Request) -> HTTPResponse {
        switch answer(request) {
        case .success(let json): return HTTPResponse(200, json)
        case .failure(let refusal):
            let title = refusal.cause.prefix(1).uppercased() + refusal.cause.dropFirst()
            return HTTPResponse(
                APIError(refusal.isConflict ? 412 : 422, title, refusal.remedy))
        }
    }

    /// Reads what a page asks.
    static func read(_ method: String, _ body: JSONValue) throws(APIError) -> Request {
        guard method != "GET", method != "HEAD" else { return .read }
        guard case .string(let text)? = body["text"] else {
            throw .unreadable("There is no `text`", "send the whole text of the panel file")
        }
        guard text.utf8.count <= Limits.fileBytes else {
            throw APIError(
                413, "The text is longer than a panel file may be",
                "send at most \(Limits.fileBytes) bytes")
        }
        guard method == "PUT" else {
            return .check(text, withFixes: body["fixes"] == .bool(true))
        }
        guard case .string(let revision)? = body["revision"] else {
            throw .unreadable(
                "There is no `revision`",
                "send that of the text that was read, so that no other "
                    + "change is lost")
        }
        return .save(text, over: revision)
    }
}

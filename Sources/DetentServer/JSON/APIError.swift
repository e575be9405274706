import DetentCore
import DetentPanel
import DetentRuntime
import DetentWorld

/// Why a request was refused: cause and remedy.
package struct APIError: Error, Equatable {
    /// The status of the HTTP answer.
    var status: Int
    /// The cause, in one line.
    package var title: String
    /// The remedy, in one line.
    package var detail: String
    /// The core's reason, such as `disabled`.
    var reason: String?
    /// The token that confirms the request.
    var confirm: String?

    init(_ status: Int, _ title: String, _ detail: String) {
        self.status = status
        self.title = title
        self.detail = detail
    }

    /// As a problem document.
    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("type", .string("about:blank")), ("title", .string(title)),
            ("status", .integer(Int64(status))), ("detail", .string(detail)),
        ]
        if let reason { members.append(("reason", .string(reason))) }
        if let confirm {
            members.append(("confirm", .string(confirm)))
            members.append(("within", .string(DurationText.text(RuntimeLimits.confirmTime))))
        }
        return .object(members)
    }
}

extension APIError {
    static func unreadable(_ cause: String, _ remedy: String) -> APIError {
        APIError(400, cause, remedy)
    }

    static func noControl(_ id: String, in plan: PanelPlan) -> APIError {
        let remedy = didYouMean(id, among: plan.controls.map(\.id))
        return APIError(
            404, "There is no control `\(quoted(id))`",
            remedy.isEmpty ? "such as `\(plan.controls.first?.id ?? "")`" : remedy.trimmed)
    }

    static func noLine(_ name: String, in plan: PanelPlan) -> APIError {
        let remedy = didYouMean(name, among: plan.lines.map(\.name))
        return APIError(
            404, "There is no line `\(quoted(name))`",
            remedy.isEmpty ? "such as `\(plan.lines.first?.name ?? "")`" : remedy.trimmed)
    }

    static var onlySimulated: APIError {
        APIError(
            409, "This works only on a simulated panel",
            "start the panel with `detent sim`")
    }

    static var tooMuch: APIError {
        APIError(429, "Too many requests", "retry shortly")
    }

    /// The core refused a request.
    static func refused(_ refusal: Refusal, _ control: ControlPlan) -> APIError {
        let name = "`\(control.id)`"
        var problem: APIError
        switch refusal {
        case .disabled:
            problem = APIError(
                409, "\(name) is disabled",
                control.layout.enabledWhen.map { "it is enabled when \($0)" }
                    ?? "see its `enabledWhen`")
        case .busy:
            problem = APIError(
                409, "The action of \(name) is still running", "wait until its phase is idle")
        case .outOfRange:
            problem = APIError(
                422, "\(name) cannot have this value", "GET /api/v1/panel lists its values")
        case .unsupported:
            problem = APIError(
                409, "\(name) cannot be set", "its value comes from its members or contacts")
        case .guarded:
            problem = APIError(
                409, "\(name) is guarded", "it can be operated only at the panel")
        case .needsConfirmation:
            problem = APIError(
                409, "\(name) needs confirmation", "send the request again with the token")
        case .lockedOut:
            problem = APIError(
                409, "\(name) was pressed too soon after the last press",
                "wait, then send the request again")
        }
        problem.reason = refusal.word
        return problem
    }
}

extension SimulationError {
    var problem: APIError {
        let status =
            switch sort {
            case .impossible: 422
            case .tooMuch: 429
            }
        return APIError(status, cause, remedy)
    }
}

extension String {
    /// Without trailing spaces.
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

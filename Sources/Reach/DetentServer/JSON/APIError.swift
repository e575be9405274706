import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
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
        [
            "type": "about:blank", "title": .string(title), "status": .whole(status),
            "detail": .string(detail), "reason": reason.map(JSONValue.string),
            "confirm": confirm.map(JSONValue.string),
            "within": confirm.map { _ in .string(DurationText.text(RuntimeLimits.confirmTime)) },
        ]
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

    /// The answer is not ready in time.
    static func takesTooLong(_ span: TimeSpan) -> APIError {
        APIError(
            503, "The answer takes longer than \(DurationText.text(span))",
            "send the request again later: this machine has too much to do")
    }

    /// The core refused a request.
    static func refused(_ refusal: Refusal, _ control: ControlPlan) -> APIError {
        let name = "`\(control.id)`"
        let condition = control.layout.enabledWhen.map { "it is enabled when \($0)" }
        let (title, detail): (String, String) =
            switch refusal {
            case .disabled: ("\(name) is disabled", condition ?? "see its `enabledWhen`")
            case .busy:
                ("The action of \(name) is still running", "wait until its phase is idle")
            case .outOfRange:
                ("\(name) cannot have this value", "GET /api/v1/panel lists its values")
            case .unsupported:
                ("\(name) cannot be set", "its value comes from its members or contacts")
            case .guarded: ("\(name) is guarded", "it can be operated only at the panel")
            case .needsConfirmation:
                ("\(name) needs confirmation", "send the request again with the token")
            case .lockedOut:
                (
                    "\(name) was pressed too soon after the last press",
                    "wait, then send the request again"
                )
            }
        var problem = APIError(refusal == .outOfRange ? 422 : 409, title, detail)
        problem.reason = refusal.word
        return problem
    }
}

extension ControlCommand {
    /// Reads the value of a request; one that is none of its control is refused.
    static func read(
        _ json: JSONValue?, for control: ControlID, of plan: PanelPlan
    ) throws(APIError) -> ControlCommand {
        do throws(CommandError) {
            return try ControlCommand(json, for: control, of: plan)
        } catch {
            guard !isChange(json, of: plan[control]) else {
                throw APIError(
                    422, "`\(plan[control].id)` needs a value here, not a change",
                    "send it with PATCH: a client may repeat a PUT, and each would change it")
            }
            throw APIError(422, error.cause, error.remedy)
        }
    }

    /// Reads the value or the change of a request.
    static func read(
        changing json: JSONValue?, for control: ControlID, of plan: PanelPlan
    ) throws(APIError) -> ControlCommand {
        do throws(CommandError) {
            return try ControlCommand(changing: json, for: control, of: plan)
        } catch {
            throw APIError(422, error.cause, error.remedy)
        }
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

import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// Handles requests: the page, the state, and commands for the panel.
///
/// Synchronization: none; all calls on the hub's thread.
final class RequestHandler {
    typealias Reply = (HTTPResponse) -> Void
    /// Makes a response on another thread, and replies on the thread of the caller.
    typealias RunInBackground = (
        _ make: @escaping @Sendable () -> HTTPResponse, _ reply: @escaping Reply
    ) ->
        Void

    let hub: Hub
    let policy: AccessPolicy
    private let page: PageFiles
    private let runInBackground: RunInBackground
    /// The panel file, if pages may change it.
    private let panelFile: FileAccess?
    private var downloads = 0
    private var fileRequests = 0
    private let drawings: DrawingDesk
    /// Inputs that HTTP requests hold stay held until a request releases them: they belong to no
    /// connection.
    private static let source = InputSourceID(0)

    init(
        hub: Hub, policy: AccessPolicy, page: PageFiles, panelFile: FileAccess? = nil,
        runInBackground: @escaping RunInBackground
    ) {
        self.hub = hub
        self.policy = policy
        self.page = page
        self.panelFile = panelFile
        self.runInBackground = runInBackground
        drawings = DrawingDesk(runInBackground: runInBackground)
    }

    /// Handles a request; replies once, at once or later.
    func respond(to request: HTTPRequest, now: Instant, reply: @escaping Reply) {
        hub.counters.requests += 1
        let isRead = request.method == "GET" || request.method == "HEAD"
        if let refused = policy.refusal(of: request, isChange: !isRead) {
            hub.counters.refused += 1
            return reply(HTTPResponse(refused))
        }
        let file = file(request)
        guard let resource = Resource(path: request.path, isPage: { _ in file != nil }) else {
            return reply(HTTPResponse(Self.nothing(at: request)))
        }
        guard resource.methods.contains(request.method) else {
            hub.counters.refused += 1
            return reply(Self.wrongMethod(request, resource))
        }
        if let file, resource == .page {
            reply(file)
            // The browser reads the page before it asks for what it needs.
            if request.path == "/" {
                page.prepareElsewhere()
                drawings.prepare(hub.plan, session: hub.session)
            }
            return
        }
        let caller = policy.caller(of: request)
        if let needed = resource.role {
            guard let own = caller?.role else {
                hub.counters.refused += 1
                return reply(HTTPResponse(.wrongToken))
            }
            guard own >= needed else {
                hub.counters.refused += 1
                return reply(HTTPResponse(.forbidden(own, needs: needed)))
            }
        }
        if resource == .file { return answerFile(request, reply) }
        let known = caller ?? Caller(role: .view)
        hub.drain(now: now)
        if resource.isRead {
            read(resource, request, known.role, now: now, reply)
        } else {
            write(resource, request, known, now: now, reply)
        }
        hub.settle(now: now)
    }

    private static func wrongMethod(_ request: HTTPRequest, _ resource: Resource) -> HTTPResponse {
        let allowed = resource.methods.joined(separator: ", ")
        var response = HTTPResponse(
            APIError(
                405, "`\(quoted(request.method))` is not for `\(quoted(request.path))`",
                "use \(allowed)"))
        response.headers.append(("Allow", allowed))
        return response
    }

    /// Whether a request with `Upgrade: websocket` is for a WebSocket.
    static func opensWebSocket(_ request: HTTPRequest) -> Bool {
        let resource = Resource(path: request.path, isPage: { _ in false })
        return resource == .events && resource?.methods.contains(request.method) == true
    }

    /// Why a WebSocket is refused; nil if it is allowed.
    func refusalOfWebSocket(_ request: HTTPRequest) -> APIError? {
        hub.counters.requests += 1
        let refusal = webSocketRefusal(request)
        if refusal != nil { hub.counters.refused += 1 }
        return refusal
    }

    private func webSocketRefusal(_ request: HTTPRequest) -> APIError? {
        if let refused = policy.refusal(of: request, isChange: true) { return refused }
        let own = policy.caller(of: request)?.role
        if own == nil, request.value("authorization") != nil { return .wrongToken }
        // Whoever has yet to send a token is looked at again when it comes.
        let role = own ?? .configure
        return hub.hasRoomForListener(role) ? nil : .tooManyListeners(role)
    }

    private func file(_ request: HTTPRequest) -> HTTPResponse? {
        page.response(
            to: request.path, acceptsGzip: request.lists("gzip", in: "accept-encoding"))
    }

    private static func nothing(at request: HTTPRequest) -> APIError {
        APIError(
            404, "`\(quoted(request.path))` does not exist",
            "the page is at /, the interface is described in docs/http.md")
    }

    // MARK: Reading

    private func read(
        _ resource: Resource, _ request: HTTPRequest, _ role: AccessRole, now: Instant,
        _ reply: @escaping Reply
    ) {
        let hub = hub
        switch resource {
        case .panel:
            withStates(as: role, now: now, reply) { [self] in panel(request, role, now: now) }
        case .face: face(request, role, reply)
        case .wiring: draw(.wiring, role, reply)
        case .history:
            // With the states come all events before them.
            withStates(as: role, now: now, reply) { [self] in history(request) }
        case .metrics:
            withStates(sharing: true, as: role, now: now, reply) { HTTPResponse(metricsOf: hub) }
        case .health:
            withStates(sharing: true, as: role, now: now, reply) { HTTPResponse(healthOf: hub) }
        case .events:
            var response = HTTPResponse(
                APIError(
                    426, "This address accepts only WebSockets", "request an upgrade (RFC 6455)"))
            response.headers.append(("Upgrade", "websocket"))
            reply(response)
        case .scenario: download(role, reply) { Self.scenario($0, request) }
        case .trace: download(role, reply) { Self.trace($0) }
        case .page, .control, .closing, .controlGesture, .lineGesture, .clock, .simulation,
            .resync, .lampTest, .reload, .file:
            reply(HTTPResponse(Self.nothing(at: request)))
        }
    }

    /// Replies when the states of all controls are known, or the panel does not answer.
    private func withStates(
        sharing: Bool = false, as role: AccessRole, now: Instant, _ reply: @escaping Reply,
        _ make: @escaping () -> HTTPResponse
    ) {
        hub.withStates(sharing: sharing, as: role, now: now) { problem in
            reply(problem.map { HTTPResponse($0) } ?? make())
        }
    }

    private func panel(
        _ request: HTTPRequest, _ role: AccessRole, now: Instant
    ) -> HTTPResponse {
        let id = request.query["control"]
        let control = id.flatMap { hub.plan.control(named: $0) }
        if let id, control == nil { return HTTPResponse(APIError.noControl(id, in: hub.plan)) }
        return HTTPResponse(200, .object(hub.snapshotMembers(role, of: control, now: now)))
    }

    private func history(_ request: HTTPRequest) -> HTTPResponse {
        var entries = hub.history.all
        if let text = request.query["since"] {
            guard let number = UInt64(text) else { return Self.noNumber("since") }
            entries.removeAll { $0.number <= number }
        }
        if let id = request.query["control"] {
            guard let control = hub.plan.control(named: id) else {
                return HTTPResponse(APIError.noControl(id, in: hub.plan))
            }
            entries.removeAll { $0.report.control != control }
        }
        if let text = request.query["limit"] {
            guard let limit = Int(text), limit >= 0 else { return Self.noNumber("limit") }
            entries = Array(entries.suffix(limit))
        }
        return HTTPResponse(
            200,
            .object([("session", .string(hub.session)), ("events", hub.eventsJSON(entries))]))
    }

    private func face(_ request: HTTPRequest, _ role: AccessRole, _ reply: @escaping Reply) {
        var sizes: [Int] = []
        for key in ["width", "height"] {
            guard let size = request.query[key].flatMap({ Int($0) }) else {
                return reply(Self.noNumber(key))
            }
            guard ServerLimits.windowPixels.contains(size) else {
                let range = ServerLimits.windowPixels
                let refused = APIError.unreadable(
                    "`\(key)` is \(size)",
                    "send \(range.lowerBound) to \(range.upperBound) pixels")
                return reply(HTTPResponse(refused))
            }
            sizes.append(size)
        }
        draw(.face(DrawingDesk.Window(width: sizes[0], height: sizes[1])), role, reply)
    }

    private func draw(
        _ subject: DrawingDesk.Subject, _ role: AccessRole, _ reply: @escaping Reply
    ) {
        drawings.draw(subject, of: hub.plan, session: hub.session, as: role, reply)
    }

    private static func noNumber(_ name: String) -> HTTPResponse {
        HTTPResponse(.unreadable("`\(name)` is not a number", "send a whole number"))
    }

    /// Replies with a download that may take seconds to write.
    private func download(
        _ role: AccessRole, _ reply: @escaping Reply,
        _ make: @escaping @Sendable (any SimulationControl) -> HTTPResponse
    ) {
        guard let simulation = hub.simulation else { return reply(HTTPResponse(.onlySimulated)) }
        guard downloads < ServerLimits.places(ServerLimits.downloads, for: role) else {
            return reply(HTTPResponse(.tooMuch))
        }
        downloads += 1
        runInBackground({ make(simulation) }) { [weak self] response in
            self?.downloads -= 1
            reply(response)
        }
    }

    private static func scenario(
        _ simulation: any SimulationControl, _ request: HTTPRequest
    ) -> HTTPResponse {
        if request.query["file"] == "expected" {
            let trace = Array(simulation.expectedTrace().utf8)
            return attachment("expected.jsonl", type: "application/x-ndjson", trace)
        }
        let scenario = simulation.scenario(panel: request.query["panel"])
        return attachment("scenario.yaml", type: "application/yaml", Array(scenario.utf8))
    }

    private static func trace(_ simulation: any SimulationControl) -> HTTPResponse {
        do {
            let trace = try simulation.trace()
            return attachment("trace.vcd", type: "application/octet-stream", trace)
        } catch {
            return HTTPResponse(
                APIError(409, "The trace cannot be written: \(error)", "restart the panel"))
        }
    }

    private static func attachment(
        _ name: String, type: String, _ bytes: [UInt8]
    ) -> HTTPResponse {
        var response = HTTPResponse(200, type: type, bytes)
        response.headers.append(("Content-Disposition", "attachment; filename=\"\(name)\""))
        return response
    }

    // MARK: The panel file

    /// The most bytes of a body: more for the panel file, if it may be changed.
    func bodyBytes(of request: HTTPRequest) -> Int {
        let isFile = request.path == "/api/v1/file" && panelFile?.refusal(of: request) == nil
        return isFile && panelFile != nil ? ServerLimits.fileBodyBytes : ServerLimits.bodyBytes
    }

    private func answerFile(_ request: HTTPRequest, _ reply: @escaping Reply) {
        do throws(APIError) {
            guard let panelFile else {
                throw APIError(
                    409, "The panel file cannot be changed here",
                    "start `detent sim` on an address of this machine alone, without "
                        + "`--run-actions` and `--no-edit`")
            }
            if let refused = panelFile.refusal(of: request) { throw refused }
            let asked = try FileAccess.read(request.method, try Self.json(request.body))
            guard fileRequests < ServerLimits.fileRequests else { throw .tooMuch }
            fileRequests += 1
            runInBackground({ panelFile.respond(to: asked) }) { [weak self] response in
                self?.fileRequests -= 1
                reply(response)
            }
        } catch {
            hub.counters.refused += 1
            reply(HTTPResponse(error))
        }
    }

    // MARK: Changing

    private func write(
        _ resource: Resource, _ request: HTTPRequest, _ caller: Caller, now: Instant,
        _ reply: @escaping Reply
    ) {
        let role = caller.role
        do throws(APIError) {
            let body = try Self.json(request.body)
            switch resource {
            case .control(let id):
                let isChange = request.method == "PATCH"
                hub.change(id, body, origin: .api, as: caller, isChange: isChange, now: now) {
                    [hub] in
                    reply(Self.response($0, hub))
                }
            case .closing(let id):
                let control = try hub.closeList(of: id, by: .api.by(caller.number))
                withStates(as: role, now: now, reply) { [hub] in
                    Self.response(.success(control), hub)
                }
            case .controlGesture(let id, let verb):
                try hub.perform(by: Self.source, body) { it throws(APIError) in
                    try it.gesture(verb: verb, control: id, line: nil)
                }
                if let control = hub.plan.control(named: id) {
                    withStates(as: role, now: now, reply) { [hub] in
                        Self.response(.success(control), hub)
                    }
                }
            case .lineGesture(let name, let verb):
                try hub.perform(by: Self.source, body) { it throws(APIError) in
                    try it.gesture(verb: verb, control: nil, line: name)
                }
                reply(HTTPResponse(202, .object([("line", .string(name))])))
            case .clock:
                try hub.perform(by: Self.source, body) { it throws(APIError) in try it.clock() }
                reply(HTTPResponse(202, hub.clockMessage(now: now)))
            case .simulation:
                try hub.perform(by: Self.source, body) { it throws(APIError) in
                    try it.simulation()
                }
                reply(HTTPResponse(202, hub.simulationMessage(isNow: true)))
            case .resync:
                try hub.send(.resync(by: .api.by(caller.number)))
                reply(HTTPResponse(202, .object([])))
            case .lampTest:
                try hub.testLamps(body, by: .api.by(caller.number))
                reply(HTTPResponse(202, .object([("on", body.given("on") ?? .null)])))
            case .reload:
                try hub.askForReload(by: .api.by(caller.number))
                reply(HTTPResponse(202, .object([])))
            case .page, .health, .metrics, .panel, .face, .wiring, .history, .events, .scenario,
                .trace, .file:
                throw Self.nothing(at: request)
            }
        } catch {
            reply(HTTPResponse(error))
        }
    }

    private static func response(
        _ result: Result<ControlID, APIError>, _ hub: Hub
    ) -> HTTPResponse {
        switch result {
        case .success(let control):
            HTTPResponse(
                202,
                .object([
                    ("control", .string(hub.plan[control].id)),
                    ("state", hub.stateJSON(control)),
                ]))
        case .failure(let refused): HTTPResponse(refused)
        }
    }

    private static func json(_ body: [UInt8]) throws(APIError) -> JSONValue {
        if body.isEmpty { return .object([]) }
        do throws(JSONReader.Problem) {
            let json = try JSONReader.read(body)
            if case .object = json { return json }
        } catch {
            throw .unreadable(
                "The body is not JSON: \(error.cause) at byte \(error.offset)",
                "send an object, such as {\"value\": \"on\"}")
        }
        throw .unreadable("The body is not an object", "such as {\"value\": \"on\"}")
    }
}

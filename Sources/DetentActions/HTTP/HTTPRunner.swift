public import DetentTypes

/// Makes requests to web services: the runner of `http` actions.
///
/// Each request is one run of the program `curl`, started and stopped by another runner. So TLS,
/// proxies and name look-ups are in a process of their own, which ends with its request. A request
/// costs about 10 ms and 14 MB while it runs, and nothing in between.
public final class HTTPRunner: ActionRunner {
    private let programs: any ActionRunner
    private let secret: SecretSource

    /// Starts `curl` with a runner of programs.
    public convenience init(programs: any ActionRunner) {
        self.init(programs: programs, secret: .system)
    }

    init(programs: any ActionRunner, secret: SecretSource) {
        self.programs = programs
        self.secret = secret
    }

    /// Starts a request; secrets are read now, so that a new one needs no restart.
    public func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        let call: HTTPCall
        do throws(SecretError) {
            guard case .fields(let fields) = request.payload,
                let made = try HTTPCall(fields, secret: secret)
            else {
                return refuse(request, "this runner makes requests to web services only", tell)
            }
            call = made
        } catch {
            return refuse(request, "\(error.cause); \(error.remedy)", tell)
        }
        var program = request
        program.payload = .program(call.program)
        programs.start(program) { event in
            switch event {
            case .began: tell(event)
            case .ended(let result): tell(.ended(HTTPEnding.result(result, of: call)))
            }
        }
    }

    /// Stops a request; what the service did with it is unknown.
    public func cancel(_ run: RunID) { programs.cancel(run) }

    /// Does nothing, and leaves nothing behind: the runner of programs stops the requests.
    public func stop(within span: TimeSpan) -> Int { 0 }

    private func refuse(
        _ request: ActionRequest, _ explanation: String,
        _ tell: @escaping @Sendable (AttemptEvent) -> Void
    ) {
        var refused = request
        refused.payload = .refused(explanation)
        programs.start(refused, tell: tell)
    }
}

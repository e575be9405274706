public import DetentPlatform
public import DetentTypes
import Glibc
import Synchronization

/// Makes requests to web services: the runner of `http` actions.
///
/// `LoopbackClient` makes a request to a service on this machine without TLS, in less than a
/// millisecond. Each other request is one run of the program `curl`, started and stopped by another
/// runner. So TLS, proxies and name look-ups are in a process of their own, which ends with its
/// request. That costs about 10 ms and 14 MB while it runs, and nothing in between.
public final class HTTPRunner: ActionRunner {
    private let programs: any ActionRunner
    private let secret: SecretSource
    /// nil lets `curl` make every request.
    private let loopback: LoopbackClient?
    private let routes = Mutex(PlainRoutes())

    /// Starts `curl` with a runner of programs.
    ///
    /// - Throws: `PlatformError` if no descriptor is available.
    public convenience init(programs: any ActionRunner) throws(PlatformError) {
        self.init(programs: programs, secret: .system, loopback: try LoopbackClient())
    }

    init(programs: any ActionRunner, secret: SecretSource, loopback: LoopbackClient?) {
        self.programs = programs
        self.secret = secret
        self.loopback = loopback
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
        if let loopback, let route = route(of: call),
            loopback.start(
                request, PlainRequest(call, by: route), keeps: request.command != nil, tell: tell)
        {
            return
        }
        // Where it asks the same service, that one may serve one connection after another.
        loopback?.closeKept()
        var program = request
        program.payload = .program(call.program)
        // For the end of the answer, which is cut when its secrets are known.
        program.keepsAnswer = true
        programs.start(program) { event in
            switch event {
            case .began: tell(event)
            case .ended(let result):
                tell(.ended(HTTPEnding.result(result, keepsAnswer: request.keepsAnswer)))
            }
        }
    }

    /// Stops a request; what the service did with it is unknown.
    public func cancel(_ run: RunID) {
        loopback?.cancel(run)
        programs.cancel(run)
    }

    /// Leaves nothing behind: the runner of programs stops the requests of `curl`.
    public func stop(within span: TimeSpan) -> Int {
        loopback?.stop()
        return 0
    }

    /// Whether `curl` would make a request with these keys, in the environment of this process.
    ///
    /// Placeholders may still be in it. No secret is read.
    public static func needsCurl(_ fields: [ActionField]) -> Bool {
        let call = try? HTTPCall(fields, secret: SecretSource { _ in "" })
        guard let call else { return true }
        return PlainRoute(call, variable: variable) == nil
    }

    private func route(of call: HTTPCall) -> PlainRoute? {
        routes.withLock { $0.route(of: call, variable: Self.variable) }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private func refuse(
        _ request: ActionRequest, _ explanation: String,
        _ tell: @escaping @Sendable (AttemptEvent) -> Void
    ) {
        var refused = request
        refused.payload = .refused(explanation)
        programs.start(refused, tell: tell)
    }
}

extension ActionKindID {
    /// Requests to web services.
    public static let http = ActionKindID("http")
}

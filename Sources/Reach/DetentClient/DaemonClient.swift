public import DetentPanel
import DetentTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A client of a running daemon's HTTP interface. Every call blocks until it is complete.
///
/// Safe from any thread except the one that calls the callback of `stream`.
public final class DaemonClient: Sendable {
    /// A response of the daemon.
    public struct Answer: Equatable, Sendable {
        /// The HTTP status.
        public var status: Int
        /// The value of Content-Type; empty if there is none.
        public var type: String
        /// The body.
        public var body: [UInt8]
        /// The token that confirms a refused request; nil if no confirmation is required.
        public var confirmToken: String? { ProblemDocument(self)?.confirm }
    }

    private let address: DaemonAddress
    private let token: String?
    private let timing: ClientTiming
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Makes a client; does not connect.
    ///
    /// - Parameter token: takes precedence over the token of the address.
    public convenience init(_ address: DaemonAddress, token: String? = nil) {
        self.init(address, token: token, timing: ClientTiming())
    }

    init(_ address: DaemonAddress, token: String? = nil, timing: ClientTiming) {
        self.timing = timing
        self.address = address
        self.token = token ?? address.token
    }

    deinit {
        group.shutdownGracefully { _ in }
    }

    /// Sends a request and waits for the response, whatever its status.
    public func request(
        _ method: String, _ path: String, body: [UInt8]? = nil
    ) throws(ClientError) -> Answer {
        var head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method), uri: path)
        head.headers = headers
        head.headers.add(name: "Connection", value: "close")
        if let body {
            head.headers.add(name: "Content-Type", value: "application/json")
            head.headers.add(name: "Content-Length", value: String(body.count))
        }
        let answer = group.next().makePromise(of: Answer.self)
        let prepare: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.pipeline.addHTTPClientHandlers().flatMapThrowing {
                try channel.pipeline.syncOperations.addHandler(AnswerHandler(answer))
            }
        }
        let channel = try connect(prepare) { answer.fail($0) }
        let limit = limit(of: answer, on: channel)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if let body {
            let bytes = channel.allocator.buffer(bytes: body)
            channel.write(HTTPClientRequestPart.body(.byteBuffer(bytes)), promise: nil)
        }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        defer {
            limit.cancel()
            channel.close(promise: nil)
        }
        return try waiting { try answer.futureResult.wait() }
    }

    /// Fails a promise when the daemon takes too long for its response.
    private func limit<Value>(of answer: EventLoopPromise<Value>, on channel: any Channel)
        -> Scheduled<Void>
    {
        let cause = "\(address) has not responded for \(DurationText.text(timing.answering))"
        return channel.eventLoop.scheduleTask(in: .nanoseconds(timing.answering)) {
            answer.fail(ClientError.unexpectedResponse(cause))
        }
    }

    /// Receives the daemon's messages until the connection ends or `take` returns false.
    ///
    /// - Parameter take: called with each message, on a thread of the client.
    /// - Throws: `ClientError` if the daemon cannot be followed, or says nothing for
    ///   `ClientLimits.silence`.
    public func stream(
        _ path: String, _ take: @escaping @Sendable ([UInt8]) -> Bool
    ) throws(ClientError) {
        let upgraded = group.next().makePromise(of: (any Channel).self)
        let silence = timing.silence
        let isSilent = SilenceNote()
        let upgrader = upgrader(upgraded, isSilent, take)
        let refused = group.next().makePromise(of: Answer.self)
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: path, headers: headers)
        let prepare: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            // The first message may arrive together with the response that opens the WebSocket.
            channel.pipeline.addHTTPClientHandlers(
                leftOverBytesStrategy: .forwardBytes,
                withClientUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { context in
                        let pipeline = context.pipeline.syncOperations
                        guard let its = try? pipeline.context(handlerType: AnswerHandler.self)
                        else { return }
                        pipeline.removeHandler(context: its, promise: nil)
                    }
                )
            ).flatMapThrowing {
                try channel.pipeline.syncOperations.addHandlers([
                    RequestStarter(head), AnswerHandler(refused),
                ])
            }
        }
        let channel = try connect(prepare) { error in
            upgraded.fail(error)
            refused.fail(error)
        }
        refused.futureResult.whenComplete { result in
            switch result {
            // With status 101 the connection has become a WebSocket, and the upgrader reports it.
            case .success(let answer) where answer.status == 101: break
            case .success(let answer): upgraded.fail(self.refusal(answer))
            case .failure(let error): upgraded.fail(error)
            }
        }
        let limit = limit(of: upgraded, on: channel)
        defer {
            limit.cancel()
            channel.close(promise: nil)
        }
        _ = try waiting { try upgraded.futureResult.wait() }
        _ = try? channel.closeFuture.wait()
        if isSilent.value.load(ordering: .acquiring) {
            throw .unexpectedResponse(
                "\(address) has sent nothing for \(DurationText.text(silence))")
        }
    }

    /// Makes a connection a WebSocket whose messages are taken.
    private func upgrader(
        _ upgraded: EventLoopPromise<any Channel>, _ isSilent: SilenceNote,
        _ take: @escaping @Sendable ([UInt8]) -> Bool
    ) -> NIOWebSocketClientUpgrader {
        let silence = timing.silence
        let hello = token.map { "{\"type\": \"token\", \"token\": \"\($0)\"}" }
        return NIOWebSocketClientUpgrader(
            maxFrameSize: ClientLimits.message
        ) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let operations = channel.pipeline.syncOperations
                try operations.addHandler(
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 1_024,
                        maxAccumulatedFrameSize: ClientLimits.message))
                try operations.addHandler(
                    IdleStateHandler(readTimeout: .nanoseconds(silence)))
                try operations.addHandler(
                    MessageHandler(hello: hello, isSilent: isSilent, take: take))
                upgraded.succeed(channel)
            }
        }
    }

    /// Checks that a Detent panel has sent a response, and returns its document.
    ///
    /// Other servers may answer with 200, so the status alone is not enough.
    ///
    /// - Throws: `refused` with the panel's message; `unexpectedResponse` if the response is not
    ///   from a panel.
    public func document(
        _ answer: Answer, _ expected: PanelDocument
    ) throws(ClientError) -> JSONValue {
        guard (200..<300).contains(answer.status) else { throw refusal(answer) }
        guard let document = expected.read(answer) else { throw unexpectedResponse(answer) }
        return document
    }

    private func refusal(_ answer: Answer) -> ClientError {
        guard let problem = ProblemDocument(answer) else { return unexpectedResponse(answer) }
        return .refused(
            status: answer.status, cause: PrintableText.text(problem.title),
            remedy: PrintableText.text(problem.detail))
    }

    private func unexpectedResponse(_ answer: Answer) -> ClientError {
        let type = answer.type.isEmpty ? "without a type" : "of the type \(answer.type)"
        return .unexpectedResponse(
            PrintableText.text(
                "\(address) is not a Detent panel: it responds \(answer.status) \(type)"))
    }

    private var headers: HTTPHeaders {
        var headers = HTTPHeaders([("Host", address.authority), ("User-Agent", "detent")])
        if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
        return headers
    }

    private func connect(
        _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>,
        orFail: (ClientError) -> Void
    ) throws(ClientError) -> any Channel {
        do {
            return try ClientBootstrap(group: group)
                .connectTimeout(.nanoseconds(ClientLimits.connecting))
                .channelInitializer(prepare)
                .connect(host: address.host, port: address.port).wait()
        } catch {
            let error = ClientError.unreachable(
                cause: "no daemon answers at \(address)",
                remedy: "start one with `detent run PANEL` or `detent sim PANEL`, "
                    + "or give its address: --url http://HOST:PORT")
            // A promise that nothing keeps ends a debug build.
            orFail(error)
            throw error
        }
    }

    private func waiting<Result>(_ body: () throws -> Result) throws(ClientError) -> Result {
        do {
            return try body()
        } catch let error as ClientError {
            throw error
        } catch {
            throw .unexpectedResponse("the connection to \(address) broke: \(error)")
        }
    }
}

extension TimeAmount {
    fileprivate static func nanoseconds(_ span: TimeSpan) -> TimeAmount {
        .nanoseconds(Int64(span.nanoseconds))
    }
}

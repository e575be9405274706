import DetentTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import TestSupport
import Testing

@testable import DetentClient

/// Servers that hang: no call waits for ever.
@Suite struct SilentServerTests {
    private static let timing = ClientTiming(
        answering: .milliseconds(50), silence: .milliseconds(50))

    /// What a server does with a connection before it falls silent.
    private typealias Setup = @Sendable (any Channel) -> EventLoopFuture<Void>

    private func withClient(
        _ setup: @escaping Setup, _ body: (DaemonClient, String) throws -> Void
    ) throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { try? group.syncShutdownGracefully() }
        let server = try ServerBootstrap(group: group).childChannelInitializer(setup)
            .bind(host: "127.0.0.1", port: 0).wait()
        defer { try? server.close().wait() }
        let address = "127.0.0.1:\(server.localAddress?.port ?? 0)"
        let client = DaemonClient(try DaemonAddress("http://\(address)"), timing: Self.timing)
        try body(client, address)
    }

    /// It takes connections and says nothing.
    private static let mute: Setup = { $0.eventLoop.makeSucceededVoidFuture() }

    /// It opens a WebSocket and says nothing then.
    private static let opens: Setup = { channel in
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        return channel.pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
    }

    @Test func aRequestEnds() throws {
        try withClient(Self.mute) { client, address in
            let error = #expect(throws: ClientError.self) {
                _ = try client.request("GET", "/api/v1/panel")
            }
            expectEqual(error?.cause.hasSuffix("\(address) has not responded for 50ms"), true)
        }
    }

    @Test func aServerThatOpensNoWebSocketIsGivenUp() throws {
        try withClient(Self.mute) { client, address in
            let error = #expect(throws: ClientError.self) {
                try client.stream("/api/v1/events") { _ in true }
            }
            expectEqual(error?.cause.hasSuffix("\(address) has not responded for 50ms"), true)
        }
    }

    @Test func aServerThatFallsSilentIsGivenUp() throws {
        try withClient(Self.opens) { client, address in
            let error = #expect(throws: ClientError.self) {
                try client.stream("/api/v1/events") { _ in true }
            }
            expectEqual(error?.cause.hasSuffix("\(address) has sent nothing for 50ms"), true)
        }
    }

    /// A panel that ended is told each time; the second time ended `detent watch`.
    @Test func aServerThatIsGoneIsTold() throws {
        let client = DaemonClient(try DaemonAddress("http://127.0.0.1:1"), timing: Self.timing)
        for _ in 1...2 {
            let error = #expect(throws: ClientError.self) {
                try client.stream("/api/v1/events") { _ in true }
            }
            expectEqual(error?.cause.hasPrefix("no daemon answers at "), true)
        }
    }
}

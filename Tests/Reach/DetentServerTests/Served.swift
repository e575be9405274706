import DetentPanel
import DetentTypes
import FreePorts
import Glibc
import TestSupport
import Testing

@testable import DetentServer

/// A server at a port of its own, which ends with this value.
///
/// No other server of these tests gets the port once this one has ended.
final class Served {
    let panel: ServedPanel
    let server: PanelServer
    let port: Int

    init(
        head: TimeSpan = .seconds(5), write: TimeSpan = .seconds(10),
        silence: TimeSpan = .seconds(45), pingEvery: TimeSpan = .seconds(15),
        answer: TimeSpan = .seconds(20), wrongToken: TimeSpan = .milliseconds(1),
        token: String? = nil, isSimulated: Bool = false,
        background: @escaping PanelServer.Background = { PanelServer.runInBackground($0) },
        restTime: TimeSpan = .seconds(60), rest: @escaping @Sendable () -> Void = {}
    ) throws {
        panel = try ServedPanel(isSimulated: isSimulated)
        var options = try ServerOptions(listen: "127.0.0.1:\(FreePorts.next())")
        options.timing = ServerTiming(
            head: head, answer: answer, write: write, silence: silence, pingEvery: pingEvery,
            wrongToken: wrongToken,
            linger: .milliseconds(200), rest: restTime)
        options.tokens = AccessTokens(token)
        server = try PanelServer(
            port: panel, simulation: panel.simulation, options: options, listening: nil,
            resuming: nil, reload: nil, rest: rest, background: background)
        let url = try server.start()
        port = url.split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }

    deinit { server.stop() }

    func client() throws -> RawClient { try #require(RawClient(port: port)) }

    /// A client that has become a WebSocket, and has had its snapshot; a ping may come before.
    func socket() throws -> RawClient {
        let client = try client()
        client.send(RawClient.upgrade(port))
        expectEqual(client.answer()?.status, 101)
        #expect(client.message("snapshot") != nil)
        return client
    }

    /// Whether it still answers.
    func isWell() throws -> Bool { try client().get("/healthz", port)?.status == 200 }

    /// By how much the memory of this process grows, in kilobytes: the least of up to three times,
    /// as other tests of the process take memory meanwhile.
    static func growthInKilobytes(below limit: Int, _ body: () throws -> Void) rethrows -> Int {
        var least = Int.max
        for _ in 0..<3 where least >= limit {
            let before = residentKilobytes
            try body()
            least = min(least, residentKilobytes - before)
        }
        return least
    }

    /// What this process has in memory.
    private static var residentKilobytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let words = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            .split(separator: UInt8(ascii: " "))
        let pages = words.dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        return (pages ?? 0) * 4
    }
}

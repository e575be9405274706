import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// Messages of Open Sound Control, byte by byte, and on their way over loopback.
@Suite struct OSCTests {
    private func bytes(_ hex: String) -> [UInt8] {
        var rest = hex.filter { $0 != " " }[...]
        var result: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            result.append(byte)
            rest = rest.dropFirst(2)
        }
        return result
    }

    /// The two examples of the specification, version 1.0.
    @Test func theExamplesOfTheSpecificationAreMade() throws {
        let frequency = try #require(
            OSCMessage(address: "/oscillator/4/frequency", arguments: ["440.0"], types: nil))
        expectEqual(
            frequency.bytes,
            bytes(
                "2f6f7363 696c6c61 746f722f 342f6672 65717565 6e637900 2c660000 43dc0000"))
        let foo = try #require(
            OSCMessage(
                address: "/foo", arguments: ["1000", "-1", "hello", "1.234", "5.678"], types: nil))
        expectEqual(
            foo.bytes,
            bytes(
                "2f666f6f 00000000 2c696973 66660000 000003e8 ffffffff 68656c6c 6f000000 "
                    + "3f9df3b6 40b5b22d"))
    }

    @Test(
        arguments: [
            (["on"], nil, [.string("on")]), (["on"], "T", [.boolean(true)]),
            (["off", "1"], "Ts", [.boolean(false), .string("1")]),
            (["50"], "f", [.float(50)]), (["true"], nil, [.boolean(true)]), ([], nil, []),
            (["1e3"], nil, [.string("1e3")]), (["2147483648"], nil, [.string("2147483648")]),
            (["x"], "i", nil), (["x"], "T", nil), (["nan"], "f", nil), (["1"], "ii", nil),
            (["1", "2"], "", nil), (["1"], "q", nil),
        ] as [([String], String?, [OSCMessage.Argument]?)])
    func argumentsHaveTheirTypes(
        texts: [String], types: String?, arguments: [OSCMessage.Argument]?
    ) {
        expectEqual(OSCMessage(address: "/a", arguments: texts, types: types)?.arguments, arguments)
    }

    @Test func booleansHaveNoBytes() throws {
        let message = try #require(
            OSCMessage(address: "/abc", arguments: ["true", "off"], types: "TT"))
        expectEqual(message.bytes, bytes("2f616263 00000000 2c544600"))
    }

    @Test(arguments: [
        ("192.168.1.30:10023", "192.168.1.30", 10_023), ("[::1]:9000", "::1", 9_000),
        ("mixer.lan:1", "mixer.lan", 1),
    ])
    func placesAreRead(text: String, host: String, port: Int) throws {
        let place = try #require(HostAndPort(text))
        #expect(place.host == host && place.port == UInt16(port))
    }

    @Test(arguments: [
        "", ":", "host", "host:", ":1", "host:0", "host:65536", "::1:9000", "a b:1", "a/b:1",
    ])
    func otherPlacesAreRefused(text: String) {
        #expect(HostAndPort(text) == nil)
    }

    // MARK: Sending

    private func result(_ runner: OSCRunner, _ fields: [ActionField]) throws -> ActionResult {
        let outcomes = try Outcomes()
        runner.start(ActionRequest(run: RunID(1), .fields(fields)), tell: outcomes.tell)
        guard outcomes.waitForEnded(1), let result = outcomes.results.first else {
            throw NoResult()
        }
        return result
    }

    @Test func theMessageArrives() throws {
        let receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(receiver) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(receiver, $0, length) == 0 && getsockname(receiver, $0, &length) == 0
            }
        }
        try #require(isBound)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            receiver, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let runner = try OSCRunner()
        defer { expectEqual(runner.stop(within: .seconds(10)), 0) }
        let port = UInt16(bigEndian: address.sin_port)
        let result = try result(
            runner,
            [
                ActionField("to", .text("localhost:\(port)")), ActionField("address", .text("/a")),
                ActionField("args", .texts(["7"])),
            ])
        expectEqual(result.outcome, .succeeded, "\(result)")
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = recv(receiver, &buffer, buffer.count, 0)
        expectEqual(Array(buffer[..<max(count, 0)]), bytes("2f610000 2c690000 00000007"))
    }

    @Test func anUnknownNameIsUnreachable() throws {
        let runner = try OSCRunner()
        defer { _ = runner.stop(within: .seconds(10)) }
        let result = try result(
            runner,
            [ActionField("to", .text("name.invalid:9")), ActionField("address", .text("/a"))])
        expectEqual(result.outcome, .failed(.unreachable))
        #expect(result.explanation.hasPrefix("name.invalid: "))
    }

    @Test func anArgumentOfAnotherTypeIsNotSent() throws {
        let runner = try OSCRunner()
        defer { _ = runner.stop(within: .seconds(10)) }
        let result = try result(
            runner,
            [
                ActionField("to", .text("127.0.0.1:9")), ActionField("address", .text("/a")),
                ActionField("args", .texts(["on"])), ActionField("types", .text("i")),
            ])
        expectEqual(result.outcome, .failed(.notStarted))
        expectEqual(result.explanation, "an argument does not have its type: on as `i`")
    }

    @Test func aMessageThatIsTooLongIsNotSent() throws {
        let runner = try OSCRunner()
        defer { _ = runner.stop(within: .seconds(10)) }
        let result = try result(
            runner,
            [
                ActionField("to", .text("127.0.0.1:9")), ActionField("address", .text("/a")),
                ActionField("args", .texts([String(repeating: "x", count: 70_000)])),
            ])
        expectEqual(result.outcome, .failed(.unreachable))
        expectEqual(result.explanation, "127.0.0.1: Message too long")
    }

    // MARK: Order and end

    private func message(_ run: UInt32) -> ActionRequest {
        ActionRequest(
            run: RunID(run),
            .fields([
                ActionField("to", .text("127.0.0.1:9")), ActionField("address", .text("/a")),
            ]))
    }

    @Test func aMessageThatWaitsIsDropped() throws {
        let runner = try OSCRunner()
        defer { expectEqual(runner.stop(within: .seconds(10)), 0) }
        let outcomes = try Outcomes()
        let first = try HeldAttempt(outcomes)
        runner.start(message(1), tell: first.tell)
        #expect(first.isHeld())
        for run: UInt32 in 2...3 { runner.start(message(run), tell: outcomes.tell) }
        runner.cancel(RunID(2))
        runner.cancel(RunID(9))
        first.letGo()
        #expect(outcomes.waitForEnded(3))
        expectEqual(outcomes.results.map(\.run.number), [1, 2, 3])
        expectEqual(outcomes.results.map(\.outcome), [.succeeded, .cancelled, .succeeded])
        expectEqual(
            outcomes.results.map(\.explanation),
            [
                "sent to 127.0.0.1:9", "cancelled before it was sent", "sent to 127.0.0.1:9",
            ])
    }

    /// The thread sleeps between two messages.
    @Test func aLaterMessageIsSentToo() throws {
        let runner = try OSCRunner()
        defer { expectEqual(runner.stop(within: .seconds(10)), 0) }
        let outcomes = try Outcomes()
        for run: UInt32 in 1...3 {
            runner.start(message(run), tell: outcomes.tell)
            #expect(outcomes.waitForEnded(Int(run)))
        }
        #expect(outcomes.results.allSatisfy { $0.outcome == .succeeded })
    }

    @Test func theEndWaitsForWhatIsSent() throws {
        let runner = try OSCRunner()
        let outcomes = try Outcomes()
        for run: UInt32 in 1...300 { runner.start(message(run), tell: outcomes.tell) }
        expectEqual(runner.stop(within: .seconds(60)), 0)
        expectEqual(outcomes.results.count, 300)
        #expect(outcomes.results.allSatisfy { $0.outcome == .succeeded })
    }

    @Test func whatIsNotSentAtTheEndIsLost() throws {
        let runner = try OSCRunner()
        let outcomes = try Outcomes()
        let first = try HeldAttempt(outcomes)
        runner.start(message(1), tell: first.tell)
        #expect(first.isHeld())
        runner.start(message(2), tell: outcomes.tell)
        expectEqual(runner.stop(within: .zero), 1)
        expectEqual(outcomes.results.map(\.run), [RunID(2)])
        expectEqual(outcomes.results.map(\.outcome), [.lost])
        expectEqual(outcomes.results[0].explanation, "Detent ended before it was sent")
        // What comes later is ignored.
        runner.start(message(3), tell: outcomes.tell)
        expectEqual(runner.stop(within: .seconds(10)), 0)
        first.letGo()
        #expect(outcomes.waitForEnded(2))
        expectEqual(outcomes.results.map(\.run.number), [2, 1])
    }

    @Test func aRunnerThatSentNothingStopsAtOnce() throws {
        expectEqual(try OSCRunner().stop(within: .seconds(10)), 0)
    }
}

internal import DetentCore
internal import DetentPanel
internal import DetentTypes
internal import DetentWorld
internal import Glibc

/// A remote caller of the panel: a script (`api`), a page (`web`) or the broker (`mqtt`).
final class PanelClient {
    /// The port of the page.
    static let port: UInt16 = 8433

    private let poller: Poller
    /// Sends a message to the broker.
    var publish: (String, [UInt8]) -> Void = { _, _ in }

    init(_ poller: Poller) { self.poller = poller }

    /// Passes on what a remote caller asks for.
    func tell(_ event: Event, _ plan: PanelPlan) throws {
        switch event {
        case .intent(let control, let value, let origin, _):
            let names = plan[control].valueNames
            ask("set", control, Self.json(value, names), by: origin, plan)
        case .change(let control, let distance, let origin, _):
            guard let change = plan[control].change(by: distance) else {
                throw Failure("nothing says \(event)")
            }
            ask("set", control, change, by: origin, plan, method: "PATCH")
        case .fire(let control, let item, let origin, let isConfirmed, _):
            let words = plan[control].valueNames.eventWords
            let word = words.count > 1 ? words[Int(item.raw)] : "press"
            ask("fire", control, .string(word), by: origin, plan, isConfirmed: isConfirmed)
        case .resync: request("POST", "/api/v1/resync", .object([]))
        case .lampTest(let isOn, .web):
            frame(.object([("type", .string("lamp-test")), ("on", .bool(isOn))]))
        case .lampTest(let isOn, _):
            request("POST", "/api/v1/lamp-test", .object([("on", .bool(isOn))]))
        case .close(let control, .web):
            frame(.object([("type", .string("close")), ("control", .string(plan[control].id))]))
        case .close(let control, _):
            request("POST", "/api/v1/controls/\(plan[control].id)/close", .object([]))
        case _: throw Failure("no remote caller says \(event)")
        }
    }

    private static func json(_ value: Value, _ names: ValueNames) -> JSONValue {
        guard case .several(let words) = names else { return EventLine.json(value, names: names) }
        return .array(
            words.indices.filter { value.raw & 1 << Int32($0) != 0 }.map { .string(words[$0]) })
    }

    private func ask(
        _ verb: String, _ control: ControlID, _ value: JSONValue, by origin: Origin,
        _ plan: PanelPlan, isConfirmed: Bool = false, method: String = "PUT"
    ) {
        let id = plan[control].id
        switch origin {
        case .mqtt:
            let body = JSONValue.object([("value", value)]).line
            publish("\(plan.broker?.topic ?? "")/\(id)/set", Array(body.utf8))
        case .web:
            frame(
                .object([
                    ("type", .string(verb)), ("control", .string(id)), ("value", value),
                ]))
        case _:
            let path = "/api/v1/controls/\(id)"
            request(method, path, .object([("value", value)])) { [unowned self] answer in
                guard isConfirmed, let token = Self.token(answer) else { return }
                request(method, path, .object([("value", value), ("confirm", .string(token))]))
            }
        }
    }

    /// The token that an answer asks to be sent again.
    private static func token(_ answer: String) -> String? {
        guard let start = answer.firstRange(of: "\"confirm\": \"") else { return nil }
        return String(answer[start.upperBound...].prefix { $0 != "\"" })
    }

    private func request(
        _ method: String, _ path: String, _ body: JSONValue,
        _ answered: @escaping (String) -> Void = { _ in }
    ) {
        let text = body.line
        send(
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(Self.port)\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
                + text, answered)
    }

    /// Sends one frame of a WebSocket, and closes it a little later.
    private func frame(_ message: JSONValue) {
        let text = Array(message.line.utf8)
        guard let file = try? Descriptor.connect(toPort: Self.port) else { return }
        Descriptor.give(
            Array(
                ("GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(Self.port)\r\n"
                    + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: d29ybGRzd29ybGRzd29ybA==\r\n\r\n").utf8), to: file)
        var isSent = false
        var heard: [UInt8] = []
        poller.watch(file) { [poller] in
            guard let bytes = Descriptor.take(file) else {
                poller.watch(file, nil)
                close(file)
                return
            }
            heard += bytes
            let isOpen = String(decoding: heard, as: UTF8.self).contains("\r\n\r\n")
            guard isOpen, !isSent else { return }
            isSent = true
            // One whole text, with a mask of zeros and a length of 16 bits.
            let length = [UInt8(text.count >> 8), UInt8(text.count & 255)]
            Descriptor.give([0x81, 0xFE] + length + [0, 0, 0, 0] + text, to: file)
        }
    }

    private func send(_ text: String, _ answered: @escaping (String) -> Void) {
        guard let file = try? Descriptor.connect(toPort: Self.port) else { return }
        Descriptor.give(Array(text.utf8), to: file)
        var heard: [UInt8] = []
        poller.watch(file) { [poller] in
            if let bytes = Descriptor.take(file) {
                heard += bytes
                return
            }
            poller.watch(file, nil)
            close(file)
            answered(String(decoding: heard, as: UTF8.self))
        }
    }
}

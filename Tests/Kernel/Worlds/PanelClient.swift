internal import DetentCore
internal import DetentPanel
internal import DetentTypes
internal import DetentWorld
internal import Glibc

/// A remote caller of the panel.
final class PanelClient {
    /// The port of the page.
    static let port: UInt16 = 8433

    private let poller: Poller

    init(_ poller: Poller) { self.poller = poller }

    /// Passes on what a remote caller asks for.
    func tell(_ event: Event, _ plan: PanelPlan) throws {
        switch event {
        case .intent(let control, let value, _, _):
            let names = plan[control].valueNames
            put(control, json(value, names), plan)
        case .fire(let control, let item, _, let isConfirmed, _):
            let names = plan[control].valueNames
            let word = names.eventWords.count > 1 ? names.eventWords[Int(item.raw)] : "press"
            put(control, .string(word), plan, isConfirmed: isConfirmed)
        case .resync: request("POST", "/api/v1/resync", .object([]))
        case .lampTest(let isOn):
            request("POST", "/api/v1/lamp-test", .object([("on", .bool(isOn))]))
        case _: throw Failure("no remote caller says \(event)")
        }
    }

    private func json(_ value: Value, _ names: ValueNames) -> JSONValue {
        guard case .several(let words) = names else { return EventLine.json(value, names: names) }
        return .array(
            words.indices.filter { value.raw & 1 << Int32($0) != 0 }.map { .string(words[$0]) })
    }

    private func put(
        _ control: ControlID, _ value: JSONValue, _ plan: PanelPlan, isConfirmed: Bool = false
    ) {
        request("PUT", "/api/v1/controls/\(plan[control].id)", .object([("value", value)]))
    }

    private func request(_ method: String, _ path: String, _ body: JSONValue) {
        guard let file = try? Descriptor.connect(toPort: Self.port) else { return }
        let text = body.line
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(Self.port)\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
        Descriptor.give(Array((head + text).utf8), to: file)
        poller.watch(file) { [poller] in
            if Descriptor.take(file) != nil { return }
            poller.watch(file, nil)
            close(file)
        }
    }
}

import DetentPanel

/// The documents that a panel answers with, told apart by their shape (docs/http.md).
public enum PanelDocument: Equatable, Sendable {
    /// The panel and its state.
    case panel
    /// The last events.
    case history
    /// A change of a control was accepted.
    case change(control: String)
    /// Every lever and selector was asked for its position.
    case resync
    /// Every lamp is on, or no longer.
    case lampTest(isOn: Bool)

    /// Reads the body of a success; nil where its type or its shape is another.
    func read(_ answer: DaemonClient.Answer) -> JSONValue? {
        guard Self.hasType("application/json", answer), answer.status == status,
            let value = try? JSONReader.read(answer.body), isShape(value)
        else { return nil }
        return value
    }

    /// Whether an answer has a type, whatever its parameters.
    static func hasType(_ type: String, _ answer: DaemonClient.Answer) -> Bool {
        let name = answer.type.prefix { $0 != ";" && $0 != " " }
        return name.lowercased() == type
    }

    /// What is read is there at once; what is changed is on its way.
    private var status: Int {
        switch self {
        case .panel, .history: 200
        case .change, .resync, .lampTest: 202
        }
    }

    private func isShape(_ value: JSONValue) -> Bool {
        switch self {
        case .panel:
            value["session"]?.text != nil && value["panel"]?["controls"]?.items != nil
                && value["state"].map(Self.isObject) == true
        case .history: value["session"]?.text != nil && value["events"]?.items != nil
        case .change(let control):
            value["control"]?.text == control && value["state"].map(Self.isObject) == true
        case .resync: Self.isObject(value)
        case .lampTest(let isOn): value["on"] == .bool(isOn)
        }
    }

    private static func isObject(_ value: JSONValue) -> Bool {
        if case .object = value { true } else { false }
    }
}

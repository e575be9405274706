import DetentPanel

/// The kinds of documents that a panel sends, identified by their structure (docs/http.md).
public enum PanelDocument: Equatable, Sendable {
    /// The panel and its state.
    case panel
    /// The last events.
    case history
    /// A change of a control was accepted.
    case change(control: String)
    /// Levers and selectors were set to their positions.
    case resync
    /// The lamp test is on or off.
    case lampTest(isOn: Bool)

    /// Reads the body of a successful response; nil if its type or structure does not match.
    func read(_ answer: DaemonClient.Answer) -> JSONValue? {
        guard Self.hasType("application/json", answer), answer.status == status,
            let value = try? JSONReader.read(answer.body), isShape(value)
        else { return nil }
        return value
    }

    /// Whether a response has a media type, ignoring parameters.
    static func hasType(_ type: String, _ answer: DaemonClient.Answer) -> Bool {
        let name = answer.type.prefix { $0 != ";" && $0 != " " }
        return name.lowercased() == type
    }

    /// Read requests are complete at once; changes are only accepted.
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

import DetentActions
import DetentCore
import DetentPanel
import DetentTypes

/// An action whose texts were read once, so that an attempt only fills in its words.
final class PreparedAction: Sendable {
    private enum Body {
        case program([TextTemplate])
        case call([Field])
        /// The core performs these.
        case steps
    }

    private struct Field {
        var name: String
        var content: Content
    }

    private enum Content {
        /// Has no placeholder.
        case fixed(ActionField.Content)
        case text(TextTemplate)
        case texts([TextTemplate])
        case pairs([(name: String, text: TextTemplate)])
    }

    /// Its kind; nil for one that the core performs.
    let kind: ActionKindID?
    /// How long the engine waits for an attempt; nil if it has no timeout.
    let timeout: TimeSpan?
    /// Where its answer has its value; nil if nowhere.
    let pointer: String?
    /// How its device confirms it on a topic of the broker; nil if it does not.
    let confirmation: Confirmation?
    /// Whether its device answers with a value that `expect` finds.
    let expectsValue: Bool
    /// Whether the value of an attempt is a number of detents.
    let usesSteps: Bool
    /// What the values of other controls are called, in the order of the action.
    let otherNames: [ValueNames]
    /// Keys that the file does not have.
    let implied: [String]
    private let body: Body

    /// What the messages of a device mean.
    struct Confirmation {
        var topic: String
        var pointer: String?
        /// Words of the device, and those of the control.
        var words: [TextPair] = []

        fileprivate init?(_ fields: [ActionField]) {
            guard let topic = fields.text("confirm.topic") else { return nil }
            self.topic = topic
            pointer = fields.text("confirm.pointer")
            if case .pairs(let pairs)? = fields["confirm.map"] { words = pairs }
        }
    }

    init(_ plan: ActionPlan, of panel: PanelPlan) {
        let others = panel.otherValues(of: plan.settings)
        otherNames = others.map(\.names)
        let names = others.map(\.placeholder)
        timeout = plan.settings.timeout
        usesSteps = plan.usesSteps
        switch plan.command {
        case .run(let arguments):
            kind = .run
            (pointer, confirmation, implied, expectsValue) = (nil, nil, [], false)
            body = .program(arguments.map { TextTemplate($0, others: names) })
        case .call(let call):
            kind = ActionKindID(call.kind)
            confirmation = Confirmation(call.fields)
            expectsValue = WireExpectation(call.fields)?.hasValue ?? false
            pointer = confirmation == nil ? call.fields.text("confirm.pointer") : nil
            var fields = call.fields
            if let field = call.timeoutField, fields[field.name] == nil,
                fields[field.unless] != .boolean(true), let timeout = plan.settings.timeout
            {
                fields.append(ActionField(field.name, .duration(timeout)))
                implied = [field.name]
            } else {
                implied = []
            }
            body = .call(
                fields.map { field in
                    let language = call.languages[field.name] ?? .plain
                    return Field(
                        name: field.name, content: Self.read(field.content, language, names))
                })
        case .steps:
            kind = nil
            (pointer, confirmation, implied, expectsValue) = (nil, nil, [], false)
            body = .steps
        }
    }

    private static func read(
        _ content: ActionField.Content, _ language: TextTemplate.Language, _ others: [String]
    ) -> Content {
        switch content {
        case .text(let text): .text(TextTemplate(text, in: language, others: others))
        case .texts(let texts): .texts(texts.map { TextTemplate($0, others: others) })
        case .pairs(let pairs):
            .pairs(pairs.map { ($0.name, TextTemplate($0.text, others: others)) })
        case .integer, .boolean, .duration: .fixed(content)
        }
    }

    /// What an attempt has to do.
    func payload(_ words: ActionWords) -> ActionPayload {
        switch body {
        case .program(let arguments):
            .program(
                ProgramCall(
                    arguments.map { $0.filled(with: words) }, environment: words.environment))
        case .call(let fields):
            .fields(fields.map { ActionField($0.name, Self.filled($0.content, words)) })
        case .steps:
            .fields([])
        }
    }

    private static func filled(_ content: Content, _ words: ActionWords) -> ActionField.Content {
        switch content {
        case .fixed(let content): content
        case .text(let text): .text(text.filled(with: words))
        case .texts(let texts): .texts(texts.map { $0.filled(with: words) })
        case .pairs(let pairs):
            .pairs(pairs.map { TextPair($0.name, $0.text.filled(with: words)) })
        }
    }
}

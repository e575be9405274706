import DetentActions
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
    /// Where its answer has its value; nil if nowhere.
    let pointer: String?
    private let body: Body

    init(_ command: ActionPlan.Command) {
        switch command {
        case .run(let arguments):
            kind = .run
            pointer = nil
            body = .program(arguments.map { TextTemplate($0) })
        case .call(let call):
            kind = ActionKindID(call.kind)
            pointer = call.fields.text("confirm.pointer")
            body = .call(call.fields.map { Field(name: $0.name, content: Self.read($0.content)) })
        case .steps:
            kind = nil
            pointer = nil
            body = .steps
        }
    }

    private static func read(_ content: ActionField.Content) -> Content {
        switch content {
        case .text(let text): .text(TextTemplate(text))
        case .texts(let texts): .texts(texts.map { TextTemplate($0) })
        case .pairs(let pairs): .pairs(pairs.map { ($0.name, TextTemplate($0.text)) })
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

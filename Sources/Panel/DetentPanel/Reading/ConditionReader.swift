import DetentCore
import DetentTypes

/// Reads conditions such as `main is on and not (mode is auto or level < 3)`.
///
///     condition:  term { or term }
///     term:       factor { and factor }
///     factor:     not factor | ( condition ) | comparison
///     comparison: ID | ID is VALUE | ID is not VALUE | ID has OPTION | ID < > <= >= NUMBER
///                 | any failed | any fault | any mismatch | broker is offline
///
/// A value ends before the next `and`, `or` or bracket. A value that contains such a word must be
/// in double quotes. An id alone means that the control is on.
struct ConditionReader {
    private let node: YAMLNode
    private let relations: PanelRelations
    private let tokens: [Token]
    /// A quotation mark has no other one after it.
    private let isUnclosed: Bool
    private var next = 0
    private(set) var steps: [ConditionStep] = []
    /// The controls that the condition names.
    private(set) var sources: [Int] = []
    private var depth = 0

    private struct Token: Equatable {
        var text: String
        var isQuoted = false
    }

    /// Whether the text of a `show` names a control, and is no expression.
    static func isControl(_ text: String) -> Bool { !text.contains { " ()<>=\"".contains($0) } }

    /// The steps in postfix order, or nil with a problem in the log.
    static func read(
        _ node: YAMLNode, _ relations: PanelRelations
    ) -> (steps: [ConditionStep], sources: [Int])? {
        var reader = ConditionReader(node, relations)
        guard !reader.isUnclosed else {
            reader.fail("a quotation mark is not closed")
            return nil
        }
        guard reader.condition() else { return nil }
        if let extra = reader.peek {
            if let (sign, word) = reader.sign(at: reader.next) {
                return reader.refuse(sign, for: word)
            }
            reader.fail("expected `and`, `or` or the end, not `\(quoted(extra.text))`")
            return nil
        }
        return (reader.steps, reader.sources)
    }

    private init(_ node: YAMLNode, _ relations: PanelRelations) {
        self.node = node
        self.relations = relations
        (tokens, isUnclosed) = Self.tokens(node.text ?? "")
    }

    private static func tokens(_ text: String) -> ([Token], isUnclosed: Bool) {
        var tokens: [Token] = []
        var word = ""
        var isQuoted = false
        func end() {
            if !word.isEmpty { tokens.append(Token(text: word)) }
            word = ""
        }
        for character in text {
            if character == "\"" {
                if isQuoted { tokens.append(Token(text: word, isQuoted: true)) } else { end() }
                word = ""
                isQuoted.toggle()
            } else if isQuoted {
                word.append(character)
            } else if character == " " || character == "\n" || character == "\t" {
                end()
            } else if character == "(" || character == ")" {
                end()
                tokens.append(Token(text: String(character)))
            } else {
                if isOperator(character) != word.last.map(isOperator), !word.isEmpty,
                    word.allSatisfy(isOperator) || isOperator(character)
                {
                    end()
                }
                word.append(character)
            }
        }
        end()
        return (tokens, isQuoted)
    }

    private static func isOperator(_ character: Character) -> Bool {
        character == "<" || character == ">" || character == "="
    }

    private var peek: Token? { next < tokens.count ? tokens[next] : nil }

    private mutating func consume(_ word: String) -> Bool {
        guard peek == Token(text: word) else { return false }
        next += 1
        return true
    }

    @discardableResult
    private func fail(_ text: String) -> Bool { refuse(text) ?? false }

    private func refuse<Part>(_ text: String) -> Part? {
        relations.log.refuse(
            .invalidCondition, at: node.place, text,
            help: "example: `main is on and not (mode is auto)`")
    }

    private mutating func condition() -> Bool {
        guard depth < Limits.conditionDepth else {
            return fail("brackets and `not` are nested more than \(Limits.conditionDepth) deep")
        }
        depth += 1
        defer { depth -= 1 }
        guard term() else { return false }
        while consume("or") {
            guard term() else { return false }
            steps.append(.or)
        }
        return true
    }

    private mutating func term() -> Bool {
        guard factor() else { return false }
        while consume("and") {
            guard factor() else { return false }
            steps.append(.and)
        }
        return true
    }

    private mutating func factor() -> Bool {
        if consume("not") {
            depth += 1
            defer { depth -= 1 }
            guard depth < Limits.conditionDepth, factor() else {
                if depth >= Limits.conditionDepth {
                    fail("`not` is nested more than \(Limits.conditionDepth) deep")
                }
                return false
            }
            steps.append(.not)
            return true
        }
        if consume("(") {
            guard condition() else { return false }
            guard consume(")") else {
                return fail("a bracket is not closed")
            }
            return true
        }
        return comparison()
    }

    private mutating func comparison() -> Bool {
        guard let name = peek, !Self.keywords.contains(name.text) else {
            return fail(
                peek.map { "expected a control, not `\(quoted($0.text))`" }
                    ?? "the condition is incomplete: a control is missing at the end")
        }
        next += 1
        if let word = PanelWord(rawValue: name.text), !name.isQuoted {
            guard relations.hasControl(named: name.text) else { return ofPanel(word) }
            warnAboutName(word)
        }
        let others = relations.hasControl(named: name.text) ? nil : relations.comparisons
        guard let control = relations.control(named: node, name.text, allowed: others) else {
            return false
        }
        if !sources.contains(control) { sources.append(control) }
        let names = relations.controls[control].valueNames
        if case .onOff = names, isAtEnd {
            steps.append(.compare(ControlID(UInt16(clamping: control)), .equal, .on))
            return true
        }
        guard let comparison = comparison(names, control) else { return false }
        let first = next - 1
        guard let value = value(comparison, names, control) else { return false }
        warnAboutConstant(
            comparison, value, control, text: "\(name.text) \(tokens[first].text)")
        steps.append(.compare(ControlID(UInt16(clamping: control)), comparison, value))
        return isShort()
    }

    private func isShort() -> Bool {
        guard steps.count <= Limits.conditionSteps else {
            return fail("a condition has at most \(Limits.conditionSteps) comparisons and words")
        }
        return true
    }

    /// Warns of a comparison whose result is the same for every number of a range.
    private func warnAboutConstant(
        _ comparison: Comparison, _ value: Value, _ control: Int, text: String
    ) {
        let subject = relations.controls[control]
        guard let range = subject.settings.nature.range, value != .unknown,
            range.minimum <= range.maximum,
            let truth = comparison.constant(
                over: range.minimum...range.maximum, against: value.raw)
        else { return }
        relations.log.warning(
            .conditionConstant, at: node.place,
            "`\(quoted("\(text) \(subject.valueNames.name(of: value))"))` is "
                + "\(truth ? "always" : "never") true: `\(quoted(subject.id))` goes from "
                + subject.valueNames.ends(of: range),
            help: "compare with a number between them, or change `range`")
    }

    /// The word between a control and its value.
    private mutating func comparison(_ names: ValueNames, _ control: Int) -> Comparison? {
        let id = relations.controls[control].id
        switch names {
        case .none, .commands:
            return refuse("`\(quoted(id))` keeps no state, so it cannot be compared")
        case .onOff, .threeWay, .options, .several, .number:
            break
        }
        if consume("is") { return consume("not") ? .different : .equal }
        if consume("has") {
            if case .several = names { return .contains }
            return refuse("`\(quoted(id))` has only one value; use `is`, not `has`")
        }
        for (word, comparison) in Self.orders where consume(word) {
            if case .number = names { return comparison }
            return refuse("`\(quoted(id))` is not a number; use `is`, not `\(word)`")
        }
        if let (sign, word) = sign(at: next) { return refuse(sign, for: word) }
        return refuse("`\(quoted(id))` has nothing to be compared with")
    }

    /// A sign of programming languages, and the word for it; `!=` is two tokens.
    private func sign(at place: Int) -> (sign: String, word: String)? {
        guard tokens.indices.contains(place), !tokens[place].isQuoted else { return nil }
        var text = tokens[place].text
        if text == "!", place + 1 < tokens.count { text += tokens[place + 1].text }
        return Self.signs[text].map { (text, $0) }
    }

    /// Tells the words for signs of programming languages.
    private func refuse<Part>(_ sign: String, for word: String) -> Part? {
        let text = node.text ?? ""
        var place = node.place
        // A text without quotes has its columns; one that is the only one of its kind is found.
        if case .scalar(_, isPlain: true) = node.content, !text.contains("\n"),
            let found = text.firstRange(of: " \(sign) ")
        {
            place.column += text[..<found.lowerBound].unicodeScalars.count + 1
            place.length = sign.count
            return relations.log.refuse(
                .invalidCondition, at: place, "conditions have no `\(sign)`",
                help: "write `\(word)`")
        }
        let whole = text.replacing(sign, with: " \(word) ").split(separator: " ")
            .joined(separator: " ")
        return relations.log.refuse(
            .invalidCondition, at: place, "conditions have no `\(sign)`",
            help: "write `\(quoted(whole))`")
    }

    private var isAtEnd: Bool {
        guard let peek, !peek.isQuoted else { return true }
        return ["and", "or", ")"].contains(peek.text)
    }

    private mutating func value(
        _ comparison: Comparison, _ names: ValueNames, _ control: Int
    ) -> Value? {
        var words: [String] = []
        while let token = peek, token.isQuoted || !isAtEnd {
            words.append(token.text)
            next += 1
            if token.isQuoted { break }
        }
        let subject = relations.controls[control]
        if words.isEmpty {
            return refuse("`\(quoted(subject.id))` has nothing to be compared with")
        }
        let word = words.joined(separator: " ")
        if word == "unknown", names.value(named: word) == nil { return .unknown }
        if word == "mixed", subject.settings.nature.role == .group { return .mixed }
        if comparison == .contains {
            if let option = names.words.firstIndex(of: word) { return Value(Int32(option)) }
        } else if let value = names.value(named: word) {
            return value
        }
        let first = next - words.count
        for place in first..<next {
            if let (sign, word) = sign(at: place) { return refuse(sign, for: word) }
        }
        let known = names.words
        return relations.log.refuse(
            .invalidCondition, at: node.place,
            "`\(quoted(word))` is not a value of `\(quoted(subject.id))`",
            help: didYouMean(word, among: known)
                + (known.isEmpty ? "give a number" : "allowed: \(known.joined(separator: ", "))"),
            known: known)
    }

    // MARK: The whole panel

    /// A word that means the panel, unless a control has it as its id.
    private enum PanelWord: String {
        case any, broker
    }

    /// What follows `any` or `broker`.
    private mutating func ofPanel(_ word: PanelWord) -> Bool {
        switch word {
        case .any:
            guard let trouble = peek.flatMap({ Trouble(word: $0.text) }) else {
                let found = peek.map { ", not `\(quoted($0.text))`" } ?? ""
                return failOfPanel(
                    "after `any` comes what any control can have\(found)",
                    didYouMean(peek?.text ?? "", among: Trouble.allCases.map(\.word))
                        + "write `any failed`, `any fault` or `any mismatch`",
                    Trouble.allCases.map(\.word))
            }
            next += 1
            steps.append(.any(trouble))
        case .broker:
            guard consume("is") else { return failOfBroker() }
            let isNegative = consume("not")
            guard consume("offline") else { return failOfBroker() }
            guard relations.hasBroker else {
                return relations.log.refuse(
                    .missingKey, at: node.place, "`broker is offline` needs a broker",
                    help: ControlDraft.brokerHelp) ?? false
            }
            steps.append(.brokerIsOffline)
            if isNegative { steps.append(.not) }
        }
        return isShort()
    }

    private func failOfBroker() -> Bool {
        failOfPanel(
            "a condition asks of the broker only whether it is offline",
            "write `broker is offline` or `broker is not offline`")
    }

    private func failOfPanel(_ text: String, _ help: String, _ known: [String] = []) -> Bool {
        relations.log.refuse(.invalidCondition, at: node.place, text, help: help, known: known)
            ?? false
    }

    private func warnAboutName(_ word: PanelWord) {
        let meaning =
            switch word {
            case .any: "all controls, as in `any failed`"
            case .broker: "the broker, as in `broker is offline`"
            }
        relations.log.warning(
            .wordOfPanel, at: node.place,
            "`\(word.rawValue)` is the control of this name here, not \(meaning)",
            help: "give the control another id")
    }

    private static let signs = [
        "=": "is", "==": "is", "===": "is", "!=": "is not", "<>": "is not",
        "&&": "and", "||": "or",
    ]
    private static let keywords = ["and", "or", "not", "is", "has", "(", ")"]
    private static let orders: [(String, Comparison)] = [
        ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less), (">", .greater),
    ]
}

import SwiftSyntax

/// Writes a choice between the original and the change into each place.
///
/// A changed branch contains the original text, so that mutants inside of mutants cost no more than
/// their sum: one of them is active at a time.
final class Rewriter: SyntaxRewriter {
    private(set) var mutants: [Mutant] = []
    private let places: Places
    private let lines: SourceLocationConverter
    /// Mutants whose keys the compiler has refused.
    private let refused: Set<String>
    private let file: String
    private(set) var number: Int
    private var declarations: [String] = []
    private var counts: [String: Int] = [:]

    init(
        places: Places, lines: SourceLocationConverter, file: String, first: Int,
        refused: Set<String>
    ) {
        self.places = places
        self.lines = lines
        self.file = file
        self.number = first
        self.refused = refused
    }

    /// Adds a mutant; nil where the compiler has refused it, or where it is left out.
    private func add(
        _ node: some SyntaxProtocol, _ original: String, _ changed: String, isLeftOut: Bool = false
    ) -> Int? {
        let place = node.positionAfterSkippingLeadingTrivia
        var mutant = Mutant(
            number: number, line: lines.location(for: place).line,
            declaration: declarations.joined(separator: "."), original: Self.short(original),
            changed: Self.short(changed))
        let key = mutant.key(file: file)
        counts[key, default: 0] += 1
        mutant.repetition = counts[key]!
        // A refused one keeps its number: those of the others, and their files, stay as they are.
        number += 1
        guard !isLeftOut, !refused.contains(mutant.key(file: file)) else { return nil }
        mutants.append(mutant)
        return mutant.number
    }

    /// A text in one line, cut where a reader has seen enough.
    static func short(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count > 90 ? words.prefix(87) + "..." : words
    }

    private func call(_ name: String, _ number: Int, _ operands: String...) -> String {
        "\(name)(\(number), \(operands.joined(separator: ", ")))"
    }

    /// Puts a text in the place of a node, with the space around it.
    private func replace(_ text: String, _ node: some SyntaxProtocol) -> ExprSyntax {
        let token = TokenSyntax.identifier(text)
        return ExprSyntax(
            DeclReferenceExprSyntax(
                leadingTrivia: node.leadingTrivia, baseName: token,
                trailingTrivia: node.trailingTrivia))
    }

    // MARK: Where we are

    private func inside<Node: SyntaxProtocol>(_ name: String, _ body: () -> Node) -> Node {
        declarations.append(name)
        defer { declarations.removeLast() }
        return body()
    }

    override func visit(_ node: StructDeclSyntax) -> DeclSyntax {
        inside(node.name.text) { super.visit(node) }
    }
    override func visit(_ node: ClassDeclSyntax) -> DeclSyntax {
        inside(node.name.text) { super.visit(node) }
    }
    override func visit(_ node: EnumDeclSyntax) -> DeclSyntax {
        inside(node.name.text) { super.visit(node) }
    }
    override func visit(_ node: ExtensionDeclSyntax) -> DeclSyntax {
        inside(node.extendedType.trimmedDescription) { super.visit(node) }
    }
    override func visit(_ node: InitializerDeclSyntax) -> DeclSyntax {
        inside("init" + Self.labels(node.signature.parameterClause)) { super.visit(node) }
    }
    override func visit(_ node: FunctionDeclSyntax) -> DeclSyntax {
        inside(node.name.text + Self.labels(node.signature.parameterClause)) { super.visit(node) }
    }
    override func visit(_ node: SubscriptDeclSyntax) -> DeclSyntax {
        inside("subscript") { super.visit(node) }
    }
    override func visit(_ node: VariableDeclSyntax) -> DeclSyntax {
        let isMember = node.parent?.is(MemberBlockItemSyntax.self) == true
        guard isMember || declarations.isEmpty, let name = node.bindings.first?.pattern else {
            return super.visit(node)
        }
        return inside(name.trimmedDescription) { super.visit(node) }
    }

    private static func labels(_ clause: FunctionParameterClauseSyntax) -> String {
        "(" + clause.parameters.map { "\($0.firstName.text):" }.joined() + ")"
    }

    // MARK: No place for a mutant

    override func visit(_ node: IfConfigDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: AttributeSyntax) -> AttributeSyntax { node }
    override func visit(_ node: EnumCaseDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: MacroExpansionExprSyntax) -> ExprSyntax { ExprSyntax(node) }
    override func visit(_ node: ExpressionPatternSyntax) -> PatternSyntax { PatternSyntax(node) }
    override func visit(_ node: StringLiteralExprSyntax) -> ExprSyntax { ExprSyntax(node) }

    // MARK: Expressions

    override func visit(_ node: InfixOperatorExprSyntax) -> ExprSyntax {
        let sign = node.operator.trimmedDescription
        let kinds: [String: (name: String, changed: String)] = [
            "<": ("mutantLess", "<="), "<=": ("mutantAtMost", "<"),
            ">": ("mutantMore", ">="), ">=": ("mutantAtLeast", ">"),
            "+": ("mutantPlus", "-"), "-": ("mutantMinus", "+"),
            "&+": ("mutantPlusWrapping", "&-"), "&-": ("mutantMinusWrapping", "&+"),
            "*": ("mutantTimes", "/"), "/": ("mutantDivided", "*"),
            "%": ("mutantRemainder", "/"), "&&": ("mutantAnd", "||"), "||": ("mutantOr", "&&"),
        ]
        let left = node.leftOperand
        let right = node.rightOperand
        let original = node.trimmedDescription
        if places.retries.contains(node.id) { return super.visit(node) }
        if sign == "==" || sign == "!=" {
            let changed = "\(left.trimmed) \(sign == "==" ? "!=" : "==") \(right.trimmed)"
            guard let added = add(node, original, changed) else { return super.visit(node) }
            let inner = super.visit(node).trimmedDescription
            return replace(call("mutantNot", added, inner), node)
        }
        if sign == "??" {
            guard let added = add(node, original, "nil ?? \(right.trimmed)") else {
                return super.visit(node)
            }
            let value = rewrite(left).trimmedDescription
            let other = rewrite(right).trimmedDescription
            return replace("\(call("mutantNil", added, value)) ?? \(other)", node)
        }
        guard let kind = kinds[sign], !isInSum(node),
            sign != "+" || !joinsTexts(ExprSyntax(node))
        else {
            return super.visit(node)
        }
        let changed = "\(left.trimmed) \(kind.changed) \(right.trimmed)"
        guard let added = add(node, original, changed) else { return super.visit(node) }
        return replace(
            call(
                kind.name, added, rewrite(left).trimmedDescription,
                rewrite(right).trimmedDescription), node)
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> ExprSyntax {
        let changed = node.literal.text == "true" ? "false" : "true"
        let isLeftOut = unseenLabel(ExprSyntax(node)) != nil
        guard let added = add(node, node.trimmedDescription, changed, isLeftOut: isLeftOut) else {
            return ExprSyntax(node)
        }
        return replace(call("mutantNot", added, node.trimmedDescription), node)
    }

    /// One up where the number is even, one down where it is odd.
    override func visit(_ node: IntegerLiteralExprSyntax) -> ExprSyntax {
        let text = node.literal.text
        let isOdd = Self.isOdd(text)
        let changed = isOdd ? "\(text) - 1" : "\(text) + 1"
        let isLeftOut =
            repeats(node, isOdd: isOdd) || unseenLabel(ExprSyntax(node)) != nil
            || node.parent.map { places.retries.contains($0.id) } == true
        guard node.parent?.is(PrefixOperatorExprSyntax.self) != true,
            let added = add(node, text, changed, isLeftOut: isLeftOut)
        else { return ExprSyntax(node) }
        return replace(call(isOdd ? "mutantDown" : "mutantUp", added, text), node)
    }

    private static func isOdd(_ text: String) -> Bool {
        guard let last = text.last, let digit = last.hexDigitValue else { return false }
        return digit % 2 == 1
    }

    override func visit(_ node: TernaryExprSyntax) -> ExprSyntax {
        let condition = negated(node.condition)
        let first = rewrite(node.thenExpression).cast(ExprSyntax.self)
        let second = rewrite(node.elseExpression).cast(ExprSyntax.self)
        return ExprSyntax(
            node.with(\.condition, condition).with(\.thenExpression, first)
                .with(\.elseExpression, second))
    }

    // MARK: Conditions

    /// `==` and `!=`, `&&` and `||` have changes of their own that say the same.
    private func negated(_ condition: ExprSyntax) -> ExprSyntax {
        if let infix = condition.as(InfixOperatorExprSyntax.self),
            ["==", "!=", "&&", "||"].contains(infix.operator.trimmedDescription)
        {
            return rewrite(condition).cast(ExprSyntax.self)
        }
        if condition.is(BooleanLiteralExprSyntax.self) { return condition }
        if places.retries.contains(condition.id) { return rewrite(condition).cast(ExprSyntax.self) }
        let text = condition.trimmedDescription
        guard let added = add(condition, text, "!(\(text))") else {
            return rewrite(condition).cast(ExprSyntax.self)
        }
        let inner = rewrite(condition).trimmedDescription
        return replace(call("mutantNot", added, inner), condition)
    }

    override func visit(_ node: ConditionElementSyntax) -> ConditionElementSyntax {
        switch node.condition {
        case .expression(let condition):
            return node.with(\.condition, .expression(negated(condition)))
        case .optionalBinding(let binding):
            return bound(node, binding)
        case .matchingPattern(let pattern):
            let rewritten = super.visit(node)
            let text = pattern.trimmedDescription
            guard let added = add(node, text, "false") else { return rewritten }
            return ConditionElementSyntax(
                condition: .expression(
                    ExprSyntax(
                        DeclReferenceExprSyntax(
                            leadingTrivia: node.leadingTrivia,
                            baseName: .identifier(
                                "!mutant(\(added)), \(rewritten.trimmedDescription)"),
                            trailingTrivia: node.trailingTrivia))))
        case .availability: return node
        @unknown default: return node
        }
    }

    private func bound(
        _ node: ConditionElementSyntax, _ binding: OptionalBindingConditionSyntax
    ) -> ConditionElementSyntax {
        let name = binding.pattern.trimmedDescription
        guard let added = add(node, binding.trimmedDescription, "\(name) is nil") else {
            return super.visit(node)
        }
        let value = binding.initializer.map { rewrite($0.value).trimmedDescription } ?? name
        let initializer = InitializerClauseSyntax(
            equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
            value: ExprSyntax(
                DeclReferenceExprSyntax(
                    baseName: .identifier(call("mutantNil", added, value)),
                    trailingTrivia: binding.trailingTrivia)))
        let trimmed = binding.with(\.pattern, binding.pattern.trimmed)
        return node.with(
            \.condition, .optionalBinding(trimmed.with(\.initializer, initializer)))
    }

    override func visit(_ node: WhereClauseSyntax) -> WhereClauseSyntax {
        node.with(\.condition, negated(node.condition))
    }

    // MARK: Statements

    override func visit(_ node: ReturnStmtSyntax) -> StmtSyntax {
        guard let expression = node.expression else { return super.visit(node) }
        let value = result(expression, type: places.returned[node.id] ?? "")
        return StmtSyntax(node.with(\.expression, value))
    }

    /// A returned value, changed as its type allows.
    private func result(_ value: ExprSyntax, type: String) -> ExprSyntax {
        let text = value.trimmedDescription
        let plain = value.is(InfixOperatorExprSyntax.self)
        let hasOwn =
            value.is(BooleanLiteralExprSyntax.self) || value.is(IntegerLiteralExprSyntax.self)
            || value.is(NilLiteralExprSyntax.self) || value.is(StringLiteralExprSyntax.self)
            || value.is(IfExprSyntax.self) || value.is(SwitchExprSyntax.self)
            || value.is(TryExprSyntax.self)
        let numbers: Set = [
            "Int", "UInt8", "UInt16", "UInt32", "UInt64", "Int8", "Int16", "Int32", "Int64", "UInt",
        ]
        var change: (name: String, changed: String)?
        if type == "Bool" {
            if !plain || ["<", "<=", ">", ">="].contains(sign(value)) {
                change = ("mutantNot", "!(\(text))")
            }
        } else if type.hasSuffix("?") {
            change = ("mutantNil", "nil")
        } else if type == "String" || (type.hasPrefix("[") && !type.contains(":")) {
            if text != "[]" { change = ("mutantEmpty", "empty") }
        } else if numbers.contains(type), !plain {
            change = ("mutantUp", "\(text) + 1")
        }
        guard !hasOwn, let change, let added = add(value, text, change.changed) else {
            return rewrite(value).cast(ExprSyntax.self)
        }
        let inner = rewrite(value).trimmedDescription
        return replace(call(change.name, added, inner), value)
    }

    private func sign(_ value: ExprSyntax) -> String {
        value.as(InfixOperatorExprSyntax.self)?.operator.trimmedDescription ?? ""
    }

    override func visit(_ node: CodeBlockItemSyntax) -> CodeBlockItemSyntax {
        if let type = places.values[node.id], case .expr(let value) = node.item {
            return node.with(\.item, .expr(result(value, type: type)))
        }
        guard places.removable.contains(node.id) else { return super.visit(node) }
        let text = node.trimmedDescription
        let removal = add(node, text, "removed")
        let swap = compound(node)
        let inner = super.visit(node).trimmedDescription
        var rewritten = inner
        if let (added, changed) = swap {
            rewritten = "if mutant(\(added)) { \(changed) } else { \(inner) }"
        }
        if let removal { rewritten = "if !mutant(\(removal)) { \(rewritten) }" }
        return node.with(\.item, .expr(replace(rewritten, node)))
    }

    /// `+=` as `-=`, and the like.
    private func compound(_ node: CodeBlockItemSyntax) -> (Int, String)? {
        let swaps = [
            "+=": "-=", "-=": "+=", "&+=": "&-=", "&-=": "&+=", "*=": "/=", "/=": "*=",
            "|=": "&=", "&=": "|=",
        ]
        guard case .expr(let expression) = node.item,
            let infix = expression.as(InfixOperatorExprSyntax.self),
            let swapped = swaps[infix.operator.trimmedDescription],
            !joinsTexts(ExprSyntax(infix))
        else { return nil }
        let changed = "\(infix.leftOperand.trimmed) \(swapped) \(infix.rightOperand.trimmed)"
        return add(node, node.trimmedDescription, changed).map { ($0, changed) }
    }
}

/// Whether an expression joins texts or lists.
private func joinsTexts(_ node: ExprSyntax) -> Bool {
    guard let infix = node.as(InfixOperatorExprSyntax.self) else {
        if let call = node.as(FunctionCallExprSyntax.self), call.trailingClosure != nil {
            return true
        }
        return node.is(StringLiteralExprSyntax.self) || node.is(ArrayExprSyntax.self)
    }
    return joinsTexts(infix.leftOperand) || joinsTexts(infix.rightOperand)
}

/// Whether an operator is a part of a longer sum. A chain of generic calls is too much for the type
/// checker, so that only the last one of a sum is changed.
private func isInSum(_ node: InfixOperatorExprSyntax) -> Bool {
    guard let outer = node.parent?.as(InfixOperatorExprSyntax.self) else { return false }
    return ["+", "-"].contains(outer.operator.trimmedDescription)
}

// MARK: Left out

// These rules leave out what no test could tell from the original, or from another mutant of the
// same place. They are in CONTRIBUTING.md.

/// Whether the change of a number is that of the comparison around it: `a < 1` and `a <= 0` are the
/// same for whole numbers.
private func repeats(_ node: IntegerLiteralExprSyntax, isOdd: Bool) -> Bool {
    guard let outer = node.parent?.as(InfixOperatorExprSyntax.self) else { return false }
    let isRight = outer.rightOperand.id == node.id
    switch outer.operator.trimmedDescription {
    case "<", ">=": return isOdd != isRight
    case ">", "<=": return isOdd == isRight
    default: return false
    }
}

/// The label of an argument that sizes memory, or that the kernel overwrites; else nil.
private func unseenLabel(_ node: ExprSyntax) -> String? {
    let labels: Set = ["alignment", "byteCount", "keepingCapacity", "minimumCapacity", "revents"]
    guard let label = node.parent?.as(LabeledExprSyntax.self)?.label?.text else { return nil }
    return labels.contains(label) ? label : nil
}

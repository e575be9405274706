import SwiftSyntax

/// Finds which statements are values, and which may be removed, before anything is rewritten.
final class Places: SyntaxVisitor {
    /// The type of each statement that is the value of its block; "" where it is not written.
    private(set) var values: [SyntaxIdentifier: String] = [:]
    /// The statements that may be left out.
    private(set) var removable: Set<SyntaxIdentifier> = []
    /// The statements of `retries`, which stay.
    private var kept: Set<SyntaxIdentifier> = []
    /// The written return type around each `return`.
    private(set) var returned: [SyntaxIdentifier: String] = [:]
    /// Comparisons that only decide whether a call is repeated after a signal.
    private(set) var retries: Set<SyntaxIdentifier> = []
    /// Names declared without a value, which every path has to set.
    private var unset: Set<String> = []

    /// Calls that give memory back, or reserve it: a leak is found by Tests/Sanitizers/run.
    static let memory: Set = ["deallocate", "free", "freeaddrinfo", "reserveCapacity"]
    static let traps: Set = ["precondition", "preconditionFailure", "assert", "fatalError"]

    // MARK: Bodies

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        unset = Self.unset(in: Syntax(node))
        if let body = node.body {
            enter(body.statements, type: node.signature.returnClause?.type.trimmedDescription)
        }
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        unset = Self.unset(in: Syntax(node))
        if let body = node.body { enter(body.statements, type: nil) }
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        let type = node.typeAnnotation?.type.trimmedDescription ?? ""
        if let block = node.accessorBlock { enter(block, type: type) }
        if let value = node.initializer?.value { branches(of: value, type: "") }
        return .visitChildren
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        if let block = node.accessorBlock {
            enter(block, type: node.returnClause.type.trimmedDescription)
        }
        return .visitChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        enter(node.statements, type: "")
        return .visitChildren
    }

    private func enter(_ block: AccessorBlockSyntax, type: String) {
        switch block.accessors {
        case .getter(let statements):
            enter(statements, type: type)
        case .accessors(let list):
            for accessor in list {
                guard let body = accessor.body else { continue }
                let isGetter = accessor.accessorSpecifier.text == "get"
                enter(body.statements, type: isGetter ? type : nil)
            }
        @unknown default: break
        }
    }

    /// Notes the statements of a body; `type` is nil where it returns nothing.
    private func enter(_ statements: CodeBlockItemListSyntax, type: String?) {
        for found in Returns.within(Syntax(statements)) { returned[found] = type ?? "" }
        if let type, statements.count == 1 { value(statements.first!, type: type) }
    }

    private func value(_ item: CodeBlockItemSyntax, type: String) {
        values[item.id] = type
        if case .stmt(let statement) = item.item,
            let expression = statement.as(ExpressionStmtSyntax.self)?.expression
        {
            branches(of: expression, type: type)
        }
        if case .expr(let expression) = item.item { branches(of: expression, type: type) }
    }

    private func branches(of expression: ExprSyntax, type: String) {
        if let node = expression.as(IfExprSyntax.self) {
            guard node.elseBody != nil else { return }
            only(node.body.statements, type: type)
            switch node.elseBody {
            case .codeBlock(let block): only(block.statements, type: type)
            case .ifExpr(let next): branches(of: ExprSyntax(next), type: type)
            case nil: break
            @unknown default: break
            }
        } else if let node = expression.as(SwitchExprSyntax.self) {
            for item in node.cases {
                if case .switchCase(let item) = item { only(item.statements, type: type) }
            }
        }
    }

    private func only(_ statements: CodeBlockItemListSyntax, type: String) {
        if statements.count == 1 { value(statements.first!, type: type) }
    }

    // MARK: Statements

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        if let expression = node.expression {
            branches(of: expression, type: returned[node.id] ?? "")
        }
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard values[node.id] == nil else { return .visitChildren }
        switch node.item {
        case .expr(let expression):
            if isRemovable(expression) { removable.insert(node.id) }
        case .stmt(let statement):
            if !kept.contains(node.id), endsEarly(statement, node) { removable.insert(node.id) }
        case .decl: break
        @unknown default: break
        }
        return .visitChildren
    }

    private func isRemovable(_ expression: ExprSyntax) -> Bool {
        if let wrapped = expression.as(TryExprSyntax.self) {
            return isRemovable(wrapped.expression)
        }
        if let call = expression.as(FunctionCallExprSyntax.self) {
            let name = call.calledExpression.trimmedDescription
            let last = name.split(separator: ".").last.map(String.init) ?? name
            return !Self.traps.contains(name) && !Self.memory.contains(last) && last != "init"
        }
        guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
        if infix.operator.is(AssignmentExprSyntax.self) {
            if infix.rightOperand.is(IfExprSyntax.self)
                || infix.rightOperand.is(SwitchExprSyntax.self)
            {
                branches(of: infix.rightOperand, type: "")
                return false
            }
            let target = infix.leftOperand.trimmedDescription
            let name = target.hasPrefix("self.") ? String(target.dropFirst(5)) : target
            return target != "self" && !infix.leftOperand.is(TupleExprSyntax.self)
                && !unset.contains(name)
        }
        let name = infix.operator.trimmedDescription
        return name.hasSuffix("=") && !["==", "!=", "<=", ">="].contains(name)
    }

    /// A way out of the body of an `if`, after which there is more.
    private func endsEarly(_ statement: StmtSyntax, _ node: CodeBlockItemSyntax) -> Bool {
        guard
            statement.is(ReturnStmtSyntax.self) || statement.is(ContinueStmtSyntax.self)
                || statement.is(ThrowStmtSyntax.self),
            let block = node.parent?.parent?.as(CodeBlockSyntax.self),
            let condition = block.parent?.as(IfExprSyntax.self), condition.elseBody == nil,
            let item = condition.parent?.parent?.as(CodeBlockItemSyntax.self),
            let list = item.parent?.as(CodeBlockItemListSyntax.self)
        else { return false }
        if statement.is(ContinueStmtSyntax.self) { return true }
        return list.last?.id != item.id
            && list.parent?.is(SwitchCaseSyntax.self) != true
    }

    // MARK: No place for a mutant

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    /// No test can send a signal into the middle of a call.
    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let sign = node.operator.trimmedDescription
        guard sign == "==" || sign == "!=",
            [node.leftOperand, node.rightOperand].contains(where: {
                $0.trimmedDescription == "EINTR"
            })
        else { return .visitChildren }
        retries.insert(node.id)
        guard let list = Syntax(node).ancestor(ConditionElementListSyntax.self),
            let body = list.parent?.as(IfExprSyntax.self)?.body
                ?? list.parent?.as(WhileStmtSyntax.self)?.body,
            body.statements.allSatisfy({ $0.trimmedDescription == "continue" })
        else { return .visitChildren }
        for item in body.statements { kept.insert(item.id) }
        for element in list {
            if case .expression(let condition) = element.condition { retries.insert(condition.id) }
        }
        return .visitChildren
    }

    private static func unset(in node: Syntax) -> Set<String> {
        var names: Set<String> = []
        for binding in Bindings.within(node) where binding.initializer == nil {
            if binding.accessorBlock == nil { names.insert(binding.pattern.trimmedDescription) }
        }
        guard node.is(InitializerDeclSyntax.self) else { return names }
        // An initializer sets the stored properties of its type.
        for found in Assigned.within(node) { names.insert(found) }
        return names
    }
}

/// The `return` statements of a body, without those of closures and functions in it.
private final class Returns: SyntaxVisitor {
    private var found: [SyntaxIdentifier] = []
    static func within(_ node: Syntax) -> [SyntaxIdentifier] {
        let visitor = Returns(viewMode: .sourceAccurate)
        visitor.walk(node)
        return visitor.found
    }
    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        found.append(node.id)
        return .visitChildren
    }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

private final class Bindings: SyntaxVisitor {
    private var found: [PatternBindingSyntax] = []
    static func within(_ node: Syntax) -> [PatternBindingSyntax] {
        let visitor = Bindings(viewMode: .sourceAccurate)
        visitor.walk(node)
        return visitor.found
    }
    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        found.append(node)
        return .visitChildren
    }
}

/// The names that are set in a body, without `self`.
private final class Assigned: SyntaxVisitor {
    private var found: [String] = []
    static func within(_ node: Syntax) -> [String] {
        let visitor = Assigned(viewMode: .sourceAccurate)
        visitor.walk(node)
        return visitor.found
    }
    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self) {
            let target = node.leftOperand.trimmedDescription
            found.append(target.hasPrefix("self.") ? String(target.dropFirst(5)) : target)
        }
        return .visitChildren
    }
}

extension Syntax {
    /// The nearest node of a kind around this one.
    fileprivate func ancestor<Node: SyntaxProtocol>(_ kind: Node.Type) -> Node? {
        parent.flatMap { $0.as(kind) ?? $0.ancestor(kind) }
    }
}

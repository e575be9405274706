import DetentPanel
import DetentTypes

/// Definition, uses and renaming of controls, in a panel and in its scenarios.
extension LanguageServer {
    /// The control that the place of a request names.
    private mutating func use(
        _ parameters: JSONValue
    ) throws(RequestError) -> (use: ControlUses.Use, file: CheckedFile, document: TextDocument)? {
        let document = try document(parameters)
        let cursor = try offset(parameters, in: document)
        let file = file(document)
        let use = ControlUses.uses(in: file, document).first {
            $0.bytes.lowerBound <= cursor && cursor <= $0.bytes.upperBound
        }
        return use.map { ($0, file, document) }
    }

    /// The path of the panel file that a file belongs to; its own for a panel.
    private func panelPath(_ file: CheckedFile, _ document: TextDocument) -> String? {
        guard file.kind == .scenario else { return document.path }
        guard let path = file.root?["panel"]?.text else { return nil }
        return FileAddress.normal(
            path.hasPrefix("/") ? path : FileAddress.folder(document.path) + path)
    }

    /// An open file, or one of the disk.
    private func document(atPath path: String) -> TextDocument? {
        if let open = documents.values.first(where: { $0.path == path }) { return open }
        guard let source = try? SourceText.read(file: path) else { return nil }
        return TextDocument(
            uri: FileAddress.uri(path), version: 0,
            text: String(decoding: source.bytes, as: UTF8.self))
    }

    /// The panel and the scenarios that may name its controls, with what they name.
    private func family(
        _ file: CheckedFile, _ document: TextDocument
    ) -> [(document: TextDocument, file: CheckedFile)] {
        guard let panel = panelPath(file, document), let its = self.document(atPath: panel) else {
            return [(document, file)]
        }
        let open = documents.values.map(\.path).filter { $0 != panel }
        let folders = self.folders + [FileAddress.folder(panel)]
        let others = Set(open + ScenarioSearch.files(below: folders)).subtracting([panel])
        let panels = panels
        let scenarios = others.sorted().compactMap {
            path -> (document: TextDocument, file: CheckedFile)? in
            guard let document = self.document(atPath: path), Self.isScenario(document) else {
                return nil
            }
            let file = CheckedFile(document.source, panels: panels)
            guard file.kind == .scenario, panelPath(file, document) == panel else { return nil }
            return (document, file)
        }
        return [(its, CheckedFile(its.source, panels: panels))] + scenarios
    }

    /// Whether it is worth reading as a scenario.
    private static func isScenario(_ document: TextDocument) -> Bool {
        document.path.hasSuffix(".scenario.yaml") || document.text.contains("\nsteps:")
    }

    private static func location(_ bytes: Range<Int>, in document: TextDocument) -> JSONValue {
        ["uri": .string(document.uri), "range": range(bytes, in: document)]
    }

    mutating func definition(_ parameters: JSONValue) throws(RequestError) -> JSONValue {
        guard let (use, file, document) = try use(parameters) else {
            return try panelOfScenario(parameters)
        }
        guard let path = panelPath(file, document), let panel = self.document(atPath: path) else {
            return .null
        }
        let its = CheckedFile(panel.source, panels: panels)
        let key = ControlUses.uses(in: its, panel).first {
            $0.isDefinition && $0.control == use.control
        }
        return key.map { Self.location($0.bytes, in: panel) } ?? .null
    }

    /// The beginning of the panel file, from its name in a scenario.
    private mutating func panelOfScenario(
        _ parameters: JSONValue
    ) throws(RequestError) -> JSONValue {
        let document = try document(parameters)
        let cursor = try offset(parameters, in: document)
        let file = file(document)
        guard file.kind == .scenario, let node = file.root?["panel"],
            document.bytes(of: node.place, in: file.source).contains(cursor),
            let path = panelPath(file, document), let panel = self.document(atPath: path)
        else { return .null }
        return Self.location(0..<0, in: panel)
    }

    mutating func references(_ parameters: JSONValue) throws(RequestError) -> JSONValue {
        guard let (use, file, document) = try use(parameters) else { return [] }
        let hasDefinition = parameters["context"]?["includeDeclaration"]?.truth ?? true
        let found = family(file, document).flatMap { member in
            ControlUses.uses(in: member.file, member.document).filter {
                $0.control == use.control && (hasDefinition || !$0.isDefinition)
            }.map { Self.location($0.bytes, in: member.document) }
        }
        return .array(found)
    }

    mutating func prepareRename(_ parameters: JSONValue) throws(RequestError) -> JSONValue {
        guard let (use, _, document) = try use(parameters) else { return .null }
        return [
            "range": Self.range(use.bytes, in: document), "placeholder": .string(use.control),
        ]
    }

    mutating func rename(_ parameters: JSONValue) throws(RequestError) -> JSONValue {
        guard let (use, file, document) = try use(parameters) else {
            throw RequestError(code: .failed, text: "the cursor is not on the id of a control")
        }
        guard let name = parameters["newName"]?.text else {
            throw RequestError(code: .invalidParameters, text: "there is no `newName`")
        }
        var changes: [(String, JSONValue)] = []
        let family = family(file, document)
        // The scenarios are checked with the renamed panel.
        var renamed: [String: TextDocument] = [:]
        for member in family {
            var changed = member.document
            var edits: [JSONValue] = []
            for place in ControlUses.uses(in: member.file, member.document).reversed()
            where place.control == use.control {
                edits.append([
                    "range": Self.range(place.bytes, in: member.document),
                    "newText": .string(name),
                ])
                let from = member.document.position(of: place.bytes.lowerBound)
                let to = member.document.position(of: place.bytes.upperBound)
                changed.replace((from, to), with: name)
            }
            renamed[changed.path] = changed
            if !edits.isEmpty {
                changes.append((member.document.uri, .array(edits.reversed())))
            }
        }
        let panels: CheckedFile.Panels = { path in
            let path = FileAddress.normal(path)
            return renamed[path].map { PanelReader.read($0.source) } ?? PanelReader.read(file: path)
        }
        for member in family {
            guard let after = renamed[member.document.path] else { continue }
            let old = member.file.problems.count { $0.severity == .error }
            let new = CheckedFile(after.source, panels: panels).problems.filter {
                $0.severity == .error
            }
            guard new.count > old, let problem = new.first else { continue }
            throw RequestError(
                code: .failed, text: "`\(quoted(name))` cannot be its id: \(problem.text)")
        }
        return ["changes": .object(changes)]
    }
}

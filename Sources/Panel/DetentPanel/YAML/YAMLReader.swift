internal import CYAML

/// Reads one YAML document into a tree whose nodes have their places.
///
/// Only a part of YAML is allowed: one document; keys are unique texts; no anchors, aliases, tags
/// or merge keys, with which a small file could expand into a very large one.
public struct YAMLReader {
    private let source: SourceText
    private let log: ProblemLog
    private var open: [YAMLFrame] = []
    private var root: YAMLNode?
    private var nodes = 0
    private var isBroken = false
    /// Whether the text breaks the grammar of YAML.
    private var isNoYAML = false

    /// Reads a document; nil with an error in the log if it has no tree.
    ///
    /// With a tree, the log can have errors too, such as a duplicate key.
    public static func read(_ source: SourceText, log: ProblemLog) -> YAMLNode? {
        guard source.bytes.count <= Limits.fileBytes else {
            return log.refuse(
                .fileTooLarge, at: SourcePlace(line: 1, column: 1),
                "the file has \(source.bytes.count) bytes, and the limit is \(Limits.fileBytes)",
                help: "a panel file is a few kilobytes; is this the right file?")
        }
        var reader = YAMLReader(source: source, log: ProblemLog(source))
        let root = reader.readDocument()
        // A `{value}` without quotes must not hide the other problems of the file.
        if reader.isNoYAML, let braces = UnquotedBraces(source) {
            var second = YAMLReader(source: braces.source, log: ProblemLog(source))
            if let root = second.readDocument() {
                log.add(second.log)
                braces.report(log)
                return braces.restored(root)
            }
        }
        log.add(reader.log)
        return root
    }

    private mutating func readDocument() -> YAMLNode? {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else {
            return log.refuse(
                .yamlSyntax, at: SourcePlace(line: 1, column: 1),
                "not enough memory to read the file",
                help: "free some memory")
        }
        defer { yaml_parser_delete(parser) }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        source.bytes.withUnsafeBufferPointer { bytes in
            yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
            while step(parser) {}
        }
        guard !isBroken else { return nil }
        if root == nil {
            log.error(
                .emptyFile, at: SourcePlace(line: 1, column: 1), "the file is empty",
                help: "begin with `panel: My Panel`")
        }
        return root
    }

    /// Takes one event; false at the end of the document, or after a fatal error.
    private mutating func step(_ parser: UnsafeMutablePointer<yaml_parser_t>) -> Bool {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
            reportSyntax(parser.pointee)
            isBroken = true
            return false
        }
        defer { yaml_event_delete(&event) }
        let place = position(of: event)
        switch event.type {
        case YAML_STREAM_END_EVENT:
            return false
        case YAML_DOCUMENT_START_EVENT:
            guard root == nil else {
                refuse(
                    .severalDocuments, at: place, "a second document begins here",
                    help: "keep one document in a file; remove `---`")
                return false
            }
        case YAML_ALIAS_EVENT:
            refuse(
                .yamlFeature, at: place, "aliases (`*name`) are not allowed",
                help: Self.adviceOnSharing)
            return add(YAMLNode(.scalar("", isPlain: true), at: place))
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            checkProperties(anchor: scalar.anchor, tag: scalar.tag, at: place)
            let text = String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length),
                as: UTF8.self)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            return add(YAMLNode(.scalar(text, isPlain: isPlain), at: place))
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            checkProperties(anchor: start.anchor, tag: start.tag, at: place)
            return begin(.sequence([]), at: place)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            checkProperties(anchor: start.anchor, tag: start.tag, at: place)
            return begin(.mapping([]), at: place)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            return end(event.end_mark)
        default:
            return true
        }
        return true
    }

    private mutating func begin(_ content: YAMLNode.Content, at place: SourcePlace) -> Bool {
        guard open.count < Limits.depth else {
            refuse(
                .yamlTooDeep, at: place,
                "lists and maps are nested more than \(Limits.depth) deep",
                help: "check for a missing bracket")
            return false
        }
        guard count(at: place) else { return false }
        open.append(YAMLFrame(content, at: place))
        return true
    }

    private mutating func end(_ mark: yaml_mark_t) -> Bool {
        guard let frame = open.popLast() else { return false }
        var node = frame.node
        if mark.line + 1 == node.place.line, mark.column + 1 > node.place.column {
            node.place.length = Int(mark.column) + 1 - node.place.column
        }
        return attach(node)
    }

    /// Counts a scalar and adds it to the open list or map.
    private mutating func add(_ node: YAMLNode) -> Bool {
        count(at: node.place) && attach(node)
    }

    private mutating func count(at place: SourcePlace) -> Bool {
        nodes += 1
        guard nodes <= Limits.nodes else {
            refuse(
                .yamlTooManyNodes, at: place,
                "the file has more than \(Limits.nodes) values", help: "split the file")
            return false
        }
        return true
    }

    private mutating func attach(_ node: YAMLNode) -> Bool {
        guard !open.isEmpty else {
            root = node
            return true
        }
        guard let key = open[open.count - 1].add(node) else { return true }
        return checkKey(key)
    }

    private mutating func checkKey(_ key: YAMLNode) -> Bool {
        guard case .scalar(let name, let isPlain) = key.content else {
            refuse(
                .yamlFeature, at: key.place, "a key must be text, not \(key.form)",
                help: "put quotes around a value such as `{value}`")
            return true
        }
        if name == "<<", isPlain {
            refuse(
                .yamlFeature, at: key.place, "merge keys (`<<`) are not allowed",
                help: Self.adviceOnSharing)
        } else if let first = open[open.count - 1].firstPlace(of: name, at: key.place) {
            log.error(
                .duplicateKey, at: key.place,
                "duplicate key `\(quoted(name))`; first at line \(first.line), column "
                    + "\(first.column)",
                help: "remove one of the two", related: first)
        }
        return true
    }

    private mutating func checkProperties(
        anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?,
        at place: SourcePlace
    ) {
        if anchor != nil {
            refuse(
                .yamlFeature, at: place, "anchors (`&name`) are not allowed",
                help: Self.adviceOnSharing)
        }
        if let tag {
            let isInclude = String(cString: tag).hasPrefix("!include")
            refuse(
                .yamlFeature, at: place, "tags (`!name`) are not allowed",
                help: isInclude
                    ? "a panel is one file: write here what the other file has"
                    : "put quotes around text that begins with `!`")
        }
    }

    /// What replaces anchors, in a panel file.
    private static let adviceOnSharing =
        "write what controls share once, in `defaults:` of the panel or of a group"

    private mutating func refuse(
        _ rule: Rule, at place: SourcePlace, _ text: String, help: String
    ) {
        log.error(rule, at: place, text, help: help)
        isBroken = true
    }

    private mutating func reportSyntax(_ parser: yaml_parser_t) {
        let problem = parser.problem.map { String(cString: $0) } ?? "the file is not YAML"
        if parser.error == YAML_READER_ERROR {
            log.error(
                .yamlSyntax, at: source.position(ofByte: parser.problem_offset),
                "the file is not text in UTF-8: \(problem)",
                help: "save it as UTF-8 without control characters")
            return
        }
        let begun = parser.context_mark
        let context =
            parser.context.map { text in
                let place = "line \(begun.line + 1), column \(begun.column + 1)"
                return "\(String(cString: text)) (begins at \(place)), "
            } ?? ""
        let mark = parser.problem_mark
        isNoYAML = true
        log.error(
            .yamlSyntax, at: SourcePlace(line: Int(mark.line) + 1, column: Int(mark.column) + 1),
            context + problem,
            help: "check indentation (spaces, never tabs), quotes and brackets near here")
    }

    private func position(of event: yaml_event_t) -> SourcePlace {
        let start = event.start_mark
        let end = event.end_mark
        let line = Int(start.line) + 1
        let column = Int(start.column) + 1
        guard event.type == YAML_SCALAR_EVENT || event.type == YAML_ALIAS_EVENT else {
            return SourcePlace(line: line, column: column)
        }
        let length =
            start.line == end.line
            ? Int(end.column) - Int(start.column)
            : source.line(line).unicodeScalars.count - Int(start.column)
        return SourcePlace(line: line, column: column, length: max(1, length))
    }
}

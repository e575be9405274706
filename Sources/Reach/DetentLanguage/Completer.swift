import DetentPanel
import DetentTypes

/// Finds the words to offer at the cursor.
///
/// The reader of the file says them itself: it reads a mark at the place of the cursor, and its
/// problem with the mark lists what is allowed there. Each word is then tried in its place, so that
/// none is offered that makes an error.
struct Completer {
    /// Reads a tree; its problems go to the log.
    typealias Check = (YAMLNode, ProblemLog) -> PanelPlan?

    let kind: FileKind
    let probe: CursorProbe
    let check: Check
    private let names: [String]
    private let problems: [Problem]
    private let plan: PanelPlan?

    /// Errors of a file that is not finished, which are no fault of a word.
    private static let unfinished: Set<String> = [
        "missing-key", "label-missing", "no-controls", "too-few-options", "options-do-not-fit",
        "action-without-timeout", "empty-file",
    ]

    init(kind: FileKind, probe: CursorProbe, check: @escaping Check) {
        self.kind = kind
        self.probe = probe
        self.check = check
        names = probe.path.names(in: probe.root)
        let log = ProblemLog(SourceText(file: "", bytes: []))
        plan = check(probe.root, log)
        problems = log.problems
    }

    /// The words, the likeliest first, and the text before the cursor that they replace.
    func items(board: Board?) -> (items: [CompletionItem], before: String, after: String) {
        let isKeyOfNode = { (problem: Problem) in
            problem.place.line == probe.node.place.line
                && problem.place.column == probe.node.place.column
        }
        let known = problems.filter(isKeyOfNode).flatMap(\.known)
        if probe.path.isKey { return (keys(known), probe.before, probe.after) }
        let keys = known.filter { $0.hasSuffix(":") }.map { String($0.dropLast()) }
        if !keys.isEmpty, isOnOwnLine { return (self.keys(keys), probe.before, probe.after) }
        if isPanelText, let placeholders { return placeholders }
        let words = known.filter { !$0.hasSuffix(":") } + otherWords
        let isCondition = problems.filter(isKeyOfNode).contains {
            $0.rule.name == "invalid-condition"
        }
        let before =
            words.contains { $0.contains(" is ") } ? factor : isCondition ? operand : probe.before
        return (values(words + lines(board), board, before), before, probe.after)
    }

    /// Lines that no control uses, where one is expected and the reader has not said so: it reads
    /// the lines of a control when it knows its kind.
    private func lines(_ board: Board?) -> [String] {
        let place = names.last == "line" ? Array(names.dropLast()) : names
        guard kind == .panel, PanelKeys.isLine(at: place) else { return [] }
        let pins = board.map { PinWords(board: $0, plan: plan).free } ?? []
        // The interrupt of a chip is at a line of the board.
        return names.first == "chips" ? pins : ChipWords(plan).free + pins
    }

    // MARK: Keys

    private func keys(_ known: [String]) -> [CompletionItem] {
        let isKey = probe.path.isKey
        let parent = isKey ? probe.path.parent.node(in: probe.root) : nil
        let present = Set((parent?.entries ?? []).map(\.name))
        let without = isKey ? probe.path.replacing(in: probe.root, with: nil) : nil
        let before = errors(without ?? probe.path.replacing(in: probe.root, with: nil))
        var around = isKey ? Array(names.dropLast()) : names
        if kind != .panel { around = [] }
        return unique(known).filter { !present.contains($0) }.compactMap { word in
            let entry = kind == .panel ? PanelKeys.entry(around + [word]) : nil
            guard errors(tree(withKey: word)).isNoMore(than: before) else { return nil }
            var item = CompletionItem(word, .key)
            item.isFirst = entry?.isRequired ?? false
            item.documentation = entry?.text
            item.text = word + (entry?.isNested == true ? ":" : ": ")
            return item
        }
    }

    /// The tree with a key that has no value yet; the place of its value is beyond the file.
    private func tree(withKey word: String) -> YAMLNode {
        let key = YAMLNode(.scalar(word, isPlain: true), at: probe.node.place)
        let value = YAMLNode(.scalar("", isPlain: true), at: Self.beyond)
        guard probe.path.isKey, case .key(let place) = probe.path.steps.last else {
            let map = YAMLNode(
                .mapping([YAMLEntry(key: key, value: value)]), at: probe.node.place)
            return probe.path.replacing(in: probe.root, with: map)
        }
        var path = probe.path
        let tree = path.replacing(in: probe.root, with: key)
        path.steps[path.steps.count - 1] = .value(place)
        return path.replacing(in: tree, with: value)
    }

    private static let beyond = SourcePlace(line: 1 << 30, column: 1)

    /// Whether the scalar stands where a map of its own could: not behind its key.
    private var isOnOwnLine: Bool {
        guard case .value(let place) = probe.path.steps.last,
            let entries = probe.path.parent.node(in: probe.root)?.entries
        else { return true }
        return entries[place].key.place.line < probe.node.place.line
    }

    // MARK: Values

    /// Words that no problem lists: those of the table, groups and symbols.
    private var otherWords: [String] {
        guard kind == .panel else { return [] }
        var words = PanelKeys.words(at: names)
        let units = PanelKeys.units(at: names)
        if !units.isEmpty {
            let digits = probe.before.prefix { $0.isNumber || $0 == "." }
            let defaultValue = PanelKeys.entry(names)?.defaultValue
            words += digits.isEmpty ? [defaultValue].compactMap(\.self) : units.map { digits + $0 }
        }
        switch names.last {
        case "symbol": words += FaceSymbol.words
        case "group": words += (plan?.controls ?? []).compactMap(\.layout.group)
        default: break
        }
        return words
    }

    /// The part of a condition in which the cursor is: what follows the last `and`, `or`, `not` or
    /// bracket.
    private var factor: String {
        var rest = probe.before[...]
        for word in ["and ", "or ", "not ", "("] {
            var search = rest
            while let found = search.firstRange(of: word) {
                let isWord =
                    word == "(" || found.lowerBound == rest.startIndex
                    || rest[..<found.lowerBound].last == " "
                    || rest[..<found.lowerBound].last == "("
                search = search[found.upperBound...]
                // `is not` compares.
                let isComparison = word == "not " && rest[..<found.lowerBound].hasSuffix("is ")
                if isWord, !isComparison { rest = search }
            }
        }
        return String(rest)
    }

    /// What a control is compared with in the part of a condition.
    private var operand: String {
        let factor = factor
        for word in [" is not ", " is ", " has ", "any "] {
            guard let found = factor.firstRange(of: word) else { continue }
            return String(factor[found.upperBound...])
        }
        return factor
    }

    private func values(_ words: [String], _ board: Board?, _ before: String) -> [CompletionItem] {
        let head = String(probe.before.dropLast(before.count))
        let candidates = unique(words).prefix(LanguageLimits.completions)
        let base = errors(probe.path.replacing(in: probe.root, with: nil))
        let found = candidates.map { word in (word, errors(tree(withValue: head + word))) }
        // What every word brings is no fault of one: a control is read when its kind is known.
        let common = found.dropFirst().reduce(found.first?.1.elsewhere(probe.node.place) ?? []) {
            $0.intersection($1.1.elsewhere(probe.node.place))
        }
        let pins = board.map { PinWords(board: $0, plan: plan) }
        let chips = ChipWords(plan)
        return found.compactMap { word, errors in
            let isFine =
                found.count > 1 ? errors.without(common).isEmpty : errors.isNoMore(than: base)
            guard isFine else { return nil }
            return described(word, pins, chips)
        }
    }

    private func tree(withValue text: String) -> YAMLNode {
        let node = YAMLNode(.scalar(text, isPlain: true), at: probe.node.place)
        return probe.path.replacing(in: probe.root, with: node)
    }

    private func described(
        _ word: String, _ pins: PinWords?, _ chips: ChipWords
    ) -> CompletionItem {
        var item = CompletionItem(word, .word)
        item.text = probe.isQuoted ? word : YAMLText.value(word)
        if names.last == "kind" { item.documentation = PanelKeys.summary(ofKind: word) }
        if names.last == "symbol" {
            item.detail = FaceSymbol.all.first { $0.word == word }?.look
        }
        if let control = plan?.controls.first(where: { $0.id == word }) {
            item.kind = .control
            item.detail = "\(control.label), \(control.kind)"
        }
        if let pins, let (header, pin) = pins.pin(named: word) {
            item.kind = .line
            let other = pin.bus ?? pin.functions.first
            item.detail = pins.location(header, pin) + (other.map { ", also \($0)" } ?? "")
            item.documentation = pins.text(header, pin)
            item.isFirst = pin.bus == nil && pin.warning == nil
        }
        if let (chip, line) = chips.line(named: word) {
            item.kind = .line
            item.detail = chips.location(chip, line)
            item.documentation = chips.text(chip, line)
            item.isFirst = true
        }
        return item
    }

    // MARK: Placeholders

    private var isPanelText: Bool { kind == .panel && PanelKeys.hasPlaceholders(names) }

    /// Placeholders, where one has begun, or in an argument that is empty.
    private var placeholders: (items: [CompletionItem], before: String, after: String)? {
        let brace = probe.before.lastIndex(of: "{")
        guard brace != nil || probe.before.isEmpty else { return nil }
        if let brace, probe.before[brace...].contains("}") { return nil }
        let before = brace.map { String(probe.before[$0...]) } ?? ""
        let head = String(probe.before.dropLast(before.count))
        let base = errors(tree(withValue: head))
        var after = probe.after
        if after.hasPrefix("}") { after = "}" } else { after = "" }
        let others = (plan?.controls ?? []).filter { !$0.valueNames.words.isEmpty }.map(\.id)
        let items = (TextTemplate.fixedNames + others).compactMap { name -> CompletionItem? in
            let word = "{\(name)}"
            guard errors(tree(withValue: head + word)).isNoMore(than: base) else { return nil }
            var item = CompletionItem(word, .word)
            item.text = probe.isQuoted || !head.isEmpty ? word : "\"\(word)\""
            return item
        }
        return (items, before, after)
    }

    // MARK: Trials

    private func errors(_ root: YAMLNode) -> FaultCounts {
        let log = ProblemLog(SourceText(file: "", bytes: []))
        _ = check(root, log)
        return FaultCounts(
            log.problems.filter {
                $0.severity == .error && !Self.unfinished.contains($0.rule.name)
                    && $0.place != Self.beyond
            })
    }

    private func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}

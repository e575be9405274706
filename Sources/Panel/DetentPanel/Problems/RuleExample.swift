internal import CRules

/// The panels that show a rule: those of docs/rules.txt, which the program contains.
public struct RuleExample: Equatable, Sendable {
    /// The rule.
    public let rule: Rule
    /// Panels that break it; at least one.
    public let breaks: [String]
    /// A panel that keeps it.
    public let keeps: String

    /// The examples in the order of the rules. A rule that no small panel can break has none.
    public static let all: [RuleExample] = {
        let found = read(text)
        return Rule.all.compactMap { rule in
            guard let own = found[rule.name], let keeps = own.keeps, !own.breaks.isEmpty else {
                return nil
            }
            return RuleExample(rule: rule, breaks: own.breaks, keeps: keeps)
        }
    }()

    /// The whole file.
    static var text: String {
        var size = 0
        let start = detent_rules(&size)
        return String(decoding: UnsafeRawBufferPointer(start: start, count: size), as: UTF8.self)
    }

    /// What a file says of each rule.
    ///
    /// The lines of a panel are indented, and those that begin one are not: so nothing that a panel
    /// says can end it.
    static func read(_ text: String) -> [String: (breaks: [String], keeps: String?)] {
        var found: [String: (breaks: [String], keeps: String?)] = [:]
        var head: (rule: String, isBroken: Bool)?
        var panel = ""
        func end() {
            guard let head, !panel.isEmpty else { return }
            if head.isBroken {
                found[head.rule, default: ([], nil)].breaks.append(panel)
            } else {
                found[head.rule, default: ([], nil)].keeps = panel
            }
        }
        for line in text.split(separator: "\n") {
            if line.hasPrefix(indentation) {
                panel += line.dropFirst(indentation.count) + "\n"
                continue
            }
            end()
            panel = ""
            let words = line.split(separator: " ")
            head = nil
            if let rule = words.first, let verb = words.last, words.count == 2,
                verb == "breaks" || verb == "keeps"
            {
                head = (String(rule), verb == "breaks")
            }
        }
        end()
        return found
    }

    static let indentation = "    "
}

extension Rule {
    /// The rule with a panel that breaks it, the messages of that panel, and one that keeps it.
    ///
    /// The panels are read as on a machine that is no known board.
    public var page: String {
        var text = "\(name) (\(severity.rawValue))\n\n\(explanation)\n"
        guard let example = RuleExample.all.first(where: { $0.rule == self }) else {
            return text + "\nNo small panel shows it.\n"
        }
        for panel in example.breaks {
            let source = SourceText(file: "panel.yaml", text: panel)
            let problems = PanelReader.read(source, deviceTree: "/nonexistent").problems
            text += "\nBreaks it:\n\n" + Self.indented(panel) + "\n"
            text += ProblemRenderer.text(problems)
        }
        return text + "\nKeeps it:\n\n" + Self.indented(example.keeps)
    }

    private static func indented(_ panel: String) -> String {
        panel.split(separator: "\n").map { RuleExample.indentation + $0 + "\n" }.joined()
    }
}

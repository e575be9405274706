import DetentTypes
import Glibc

/// Puts variables of the environment in place of `${env:NAME}` in texts that are shown, and in
/// those that say where something is. So one file serves several boards.
///
/// A secret is no such text: the places of secrets keep the reference, and it is read at each
/// attempt.
struct Variables {
    /// The keys whose texts may name variables.
    static let keys: Set<String> = [
        "panel", "label", "active-label", "caption", "subtitle", "help", "group", "topic", "url",
        "client-id", "mqtt", "to",
    ]

    /// The variable of this process; nil if it is not set.
    static let ofProcess: @Sendable (String) -> String? = { name in
        getenv(name).map { String(cString: $0) }
    }

    private let value: (String) -> String?
    private let log: ProblemLog

    /// The file with its variables replaced; a variable that is not set is an error.
    static func filled(
        _ root: YAMLNode, _ log: ProblemLog, value: (String) -> String?
    ) -> YAMLNode {
        guard root.mentions("${") else { return root }
        return withoutActuallyEscaping(value) {
            Variables(value: $0, log: log).filled(root, key: "", above: "")
        }
    }

    private init(value: @escaping (String) -> String?, log: ProblemLog) {
        self.value = value
        self.log = log
    }

    /// - Parameter above: the key of the map or list that has the key.
    private func filled(_ node: YAMLNode, key: String, above: String) -> YAMLNode {
        var node = node
        switch node.content {
        case .scalar(let text, let isPlain):
            let isNameOfGroup = key == "name" && above == "groups"
            guard Self.keys.contains(key) || isNameOfGroup, text.contains("${") else { return node }
            node.content = .scalar(filled(text, at: node.place), isPlain: isPlain)
        case .sequence(let items):
            node.content = .sequence(items.map { filled($0, key: key, above: above) })
        case .mapping(let entries):
            node.content = .mapping(
                entries.map { entry in
                    YAMLEntry(
                        key: entry.key, value: filled(entry.value, key: entry.name, above: key))
                })
        }
        return node
    }

    private func filled(_ text: String, at place: SourcePlace) -> String {
        SecretReference.replaced(in: text) { inside in
            let written = "${\(inside)}"
            guard inside.hasPrefix("env:") || inside.hasPrefix("file:") else { return written }
            switch SecretReference(inside) {
            case .variable(let name):
                if let word = value(name) { return word }
                log.error(
                    .variableMissing, at: place, "the variable `\(name)` is not set",
                    help: "set it before the start, such as `export \(name)=…`; for a service, "
                        + "write `Environment=\(name)=…` with `systemctl edit detent@PANEL`")
            case .file:
                log.error(
                    .invalidArgument, at: place, "`\(quoted(written))` is not replaced here",
                    help: "write the text itself, or `${env:NAME}` for a variable; files are for "
                        + "`password`, `user`, `headers`, `body` and `payload`")
            case nil:
                log.error(
                    .invalidArgument, at: place, "`\(quoted(written))` does not name a variable",
                    help: "write `${env:NAME}`, with letters, digits and `_`")
            }
            return written
        }
    }
}

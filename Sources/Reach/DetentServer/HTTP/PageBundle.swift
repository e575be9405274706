/// The modules of the page that one of them needs, joined to one file.
///
/// One file is asked for once, and packs better than many small ones. Each module becomes a block,
/// after the modules that it imports. What it exports is in the table `modules`, from which others
/// take it.
///
/// It knows two statements, each at the start of a line: `import {…} from "…";` and `export`
/// before `const`, `let`, `class` or `function`. A test finds every other one.
struct PageBundle {
    /// The names of the modules in the bundle, each after those that it imports.
    private(set) var order: [String] = []
    /// What the browser reads.
    private(set) var text = "const modules = {};\n"

    private let source: (String) -> String?
    private let known: Set<String>

    /// Joins the modules that an entry needs.
    ///
    /// - Parameters:
    ///   - entry: the name of the module that is asked for.
    ///   - earlier: the bundle that is on the page before, whose modules are not repeated, with its
    ///     name.
    ///   - source: the text of a module; nil if there is none.
    init(
        _ entry: String, after earlier: (name: String, bundle: PageBundle)? = nil,
        source: @escaping (String) -> String?
    ) {
        self.source = source
        known = Set(earlier?.bundle.order ?? []).union(earlier?.bundle.known ?? [])
        if let earlier {
            let up = String(repeating: "../", count: entry.split(separator: "/").count - 1)
            text = "import { modules as earlier } from \"./\(up)\(earlier.name)\";\n"
            text += "const modules = { ...earlier };\n"
        }
        let exports = add(entry)
        text += "export { modules };\n"
        guard !exports.isEmpty else { return }
        let names = exports.joined(separator: ", ")
        text += "export const { \(names) } = modules[\"\(entry)\"];\n"
    }

    /// Adds a module after those that it needs; gives the names that it exports.
    @discardableResult
    private mutating func add(_ name: String) -> [String] {
        guard !known.contains(name), !order.contains(name), let source = source(name) else {
            return []
        }
        var body = ""
        var exports: [String] = []
        var statement: String?
        body.reserveCapacity(source.utf8.count)
        // Bytes, as letters would take ten times as long, and a browser waits.
        let lines = source.utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines {
            if statement != nil || line.starts(with: "import {".utf8) {
                statement = (statement ?? "") + Substring(line)
                guard line.last == UInt8(ascii: ";"), let whole = statement else { continue }
                body += taken(whole, by: name)
                statement = nil
            } else if line.starts(with: "export ".utf8) {
                let rest = Substring(line.dropFirst("export ".utf8.count))
                exports += Self.declared(rest)
                body += rest
                body += "\n"
            } else {
                body += Substring(line)
                body += "\n"
            }
        }
        order.append(name)
        text += "{\n\(body)modules[\"\(name)\"] = { \(exports.joined(separator: ", ")) };\n}\n"
        return exports
    }

    /// The statement that takes from the table what a module imports.
    private mutating func taken(_ statement: String, by importer: String) -> String {
        guard let end = statement.firstIndex(of: "}") else { return statement }
        let names = statement[..<end].dropFirst("import {".count)
        let path = statement[end...].split(separator: "\"").dropFirst().first ?? ""
        let module = Self.name(of: path, in: importer)
        add(module)
        let renamed = names.split(separator: ",").map { name in
            let words = name.split(separator: " ")
            return words.count == 3 ? "\(words[0]): \(words[2])" : words.joined(separator: " ")
        }
        return "const { \(renamed.joined(separator: ", ")) } = modules[\"\(module)\"];\n"
    }

    /// The name that is declared: `async function name(`, `const name =`, `class Name {`.
    private static func declared(_ declaration: Substring) -> [String] {
        let words = declaration.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
        return words.first { !["async", "function", "const", "let", "class"].contains($0) }
            .map { [String($0)] } ?? []
    }

    /// The name of the module at a path, as seen from the folder of another one.
    private static func name(of path: Substring, in importer: String) -> String {
        var folders = importer.split(separator: "/").dropLast()
        for step in path.split(separator: "/") where step != "." {
            if step == ".." { folders = folders.dropLast() } else { folders.append(step) }
        }
        return folders.joined(separator: "/")
    }
}

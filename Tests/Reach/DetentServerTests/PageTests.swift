import Glibc
import TestSupport
import Testing

@testable import DetentServer

/// The files of the page in the program are those of simulator/web.
@Suite struct PageTests {
    private static let folder =
        #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/simulator/web"

    private static func read(_ name: String) -> [UInt8]? {
        guard let file = fopen(folder + "/" + name, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// The names of all files in a folder and the folders in it.
    private static func list(_ path: String, _ prefix: String = "") throws -> [String] {
        let folder = try #require(opendir(path))
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            if entry.pointee.d_type == DT_DIR {
                names += try list("\(path)/\(name)", "\(prefix)\(name)/")
            } else {
                names.append(prefix + name)
            }
        }
        return names
    }

    @Test func listEqualsFolder() throws {
        expectEqual(PageFiles(folder: nil).names.sorted(), (try Self.list(Self.folder)).sorted())
    }

    @Test func theyAreServedAsTheyAre() throws {
        let page = PageFiles(folder: nil)
        for name in page.servedNames {
            let response = try #require(page.response(to: "/" + name, acceptsGzip: false))
            #expect(response.type != "application/octet-stream", "\(name) has no type")
            if name.hasSuffix(".js"), name != PageFiles.early { continue }
            expectEqual(response.body, Self.read(name), "\(name): build again")
        }
        #expect(page.response(to: "/core/store.js", acceptsGzip: true) == nil, "it is in a bundle")
    }

    /// Each module is in one bundle, once, whole, and after those that it needs.
    @Test func modulesAreBundled() throws {
        let page = PageFiles(folder: nil)
        let bundles = ["page.js", "tools/all.js", "tools/file.js"].map(page.bundle)
        let order = bundles.flatMap(\.order)
        let modules = page.names.filter { $0.hasSuffix(".js") && $0 != PageFiles.early }
        expectEqual(order.sorted(), modules)
        expectEqual(Set(order).count, order.count)
        #expect(bundles[1].order.allSatisfy { $0.hasPrefix("tools/") }, "the rest comes first")
        for (place, name) in order.enumerated() {
            let source = String(decoding: try #require(Self.read(name)), as: UTF8.self)
            for line in source.split(separator: "\n") {
                let isKnown = ["function ", "async function ", "const ", "let ", "class "].contains
                {
                    line.hasPrefix("export \($0)")
                }
                #expect(!line.hasPrefix("export") || isKnown, "\(name): \(line)")
                #expect(!line.hasPrefix("import") || line.hasPrefix("import {"), "\(name): \(line)")
            }
            for needed in Self.imports(of: source, from: name) {
                #expect(order[..<place].contains(needed), "\(name) needs \(needed) before")
            }
        }
    }

    /// The modules that a module imports, found by the ends of their statements.
    private static func imports(of source: String, from name: String) -> [String] {
        source.split(separator: "\n").compactMap { line in
            guard line.hasSuffix("\";"), let from = line.firstRange(of: "from \"") else {
                return nil
            }
            let path = line[from.upperBound...].dropLast(2)
            let folder = name.contains("/") ? name.split(separator: "/")[0] + "/" : ""
            return path.hasPrefix("../")
                ? String(path.dropFirst(3)) : folder + path.dropFirst("./".count)
        }
    }

    @Test func aBundleKeepsWhatModulesMean() {
        let files = [
            "page.js": """
            import { one as first, two } from "./core/a.js";
            import { B }
              from "./parts/b.js";
            first(two, B);
            """,
            "core/a.js": "export async function one() {}\nexport const two = 2;\n",
            "parts/b.js": "import { two } from \"../core/a.js\";\nexport class B {}\n",
        ]
        let bundle = PageBundle("page.js") { files[$0] }
        expectEqual(bundle.order, ["core/a.js", "parts/b.js", "page.js"])
        expectEqual(
            bundle.text,
            """
            const modules = {};
            {
            async function one() {}
            const two = 2;

            modules["core/a.js"] = { one, two };
            }
            {
            const { two } = modules["core/a.js"];
            class B {}

            modules["parts/b.js"] = { B };
            }
            {
            const { one: first, two } = modules["core/a.js"];
            const { B } = modules["parts/b.js"];
            first(two, B);
            modules["page.js"] = {  };
            }
            export { modules };

            """)
        let files2 = ["tools/t.js": "import { two } from \"../core/a.js\";\nexport let t = two;"]
        let second = PageBundle("tools/t.js", after: ("page.js", bundle)) { files2[$0] }
        expectEqual(
            second.text,
            """
            import { modules as earlier } from "./../page.js";
            const modules = { ...earlier };
            {
            const { two } = modules["core/a.js"];
            let t = two;
            modules["tools/t.js"] = { t };
            }
            export { modules };
            export const { t } = modules["tools/t.js"];

            """)
    }

    private static func minified(_ text: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer {
            String(decoding: Minifier.minified($0), as: UTF8.self)
        }
    }

    @Test func whatTravelsHasNeitherCommentsNorIndentation() {
        expectEqual(
            Self.minified("// Why.\n\n  if (a) {\n    b(\"// no\"); // c\n  }\n"),
            "if (a) {\nb(\"// no\"); // c\n}\n")
        expectEqual(
            Self.minified("a = 2; // pixels\n b = c / d; // no\nreturn; // 'so'\n e =// no\n"),
            "a = 2;\nb = c / d; // no\nreturn;\ne =// no\n")
        expectEqual(
            Self.minified("/* Why. */\na {\n  b: c; /* d */\n}"), "a {\nb: c; /* d */\n}\n")
        expectEqual(Self.minified(""), "")
    }

    /// A text within backquotes may hold code in `${}` that goes over lines, and nothing else may.
    @Test func noTextGoesOverSeveralLines() throws {
        for name in PageFiles(folder: nil).names where name.hasSuffix(".js") {
            let source = String(decoding: try #require(Self.read(name)), as: UTF8.self)
            var isText = false
            var depths: [Int] = []
            var last: Character = " "
            for letter in source {
                switch (letter, isText) {
                case ("`", _) where last != "\\": isText.toggle()
                case ("{", true) where last == "$":
                    depths.append(0)
                    isText = false
                case ("{", false) where !depths.isEmpty: depths[depths.count - 1] += 1
                case ("}", false) where depths.last == 0:
                    depths.removeLast()
                    isText = true
                case ("}", false) where !depths.isEmpty: depths[depths.count - 1] -= 1
                case ("\n", true): Issue.record("\(name): a text goes over several lines")
                case _: break
                }
                last = letter
            }
            #expect(!isText && depths.isEmpty, "\(name)")
        }
    }

    /// What the front panel's first picture needs, with its letters; the tools come after it, and
    /// the editor of the panel file when its drawer is opened.
    @Test func thePageIsSmallOnItsWay() throws {
        let page = PageFiles(folder: nil)
        var sizes: [String: Int] = [:]
        for name in page.servedNames {
            let response = try #require(page.response(to: "/" + name, acceptsGzip: true))
            sizes[name] = response.body.count
        }
        let first = sizes.filter { !$0.key.hasPrefix("tools/") }.values.reduce(0, +)
        #expect(first <= 65 * 1024, "\(sizes)")
        let editor = sizes.filter { $0.key.hasPrefix("tools/file") }.values.reduce(0, +)
        #expect(editor <= 5_000, "\(sizes)")
        #expect(sizes.values.reduce(0, +) - editor <= 88_000, "\(sizes)")
    }

    /// What is prepared is what is served without it.
    @Test func whatIsPreparedIsTheSame() throws {
        let (prepared, page) = (PageFiles(folder: nil), PageFiles(folder: nil))
        prepared.prepare()
        for name in page.servedNames {
            expectEqual(
                prepared.response(to: "/" + name, acceptsGzip: true)?.body,
                page.response(to: "/" + name, acceptsGzip: true)?.body, "\(name)")
        }
    }

    @Test func aFolderIsReadAnew() throws {
        let page = PageFiles(folder: Self.folder)
        expectEqual(page.response(to: "/", acceptsGzip: true)?.body, Self.read("index.html"))
        #expect(page.response(to: "/README.md", acceptsGzip: true) == nil, "only these names")
        let nowhere = PageFiles(folder: "/nonexistent")
        expectEqual(nowhere.response(to: "/", acceptsGzip: true)?.status, 404)
    }
}

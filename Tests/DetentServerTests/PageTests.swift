import Glibc
import Testing

@testable import DetentServer

/// The files of the page in the program are those of simulator/web.
@Suite struct PageTests {
    private static let folder =
        #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/simulator/web"

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
        #expect(PageFiles(folder: nil).names.sorted() == (try Self.list(Self.folder)).sorted())
    }

    @Test func theyAreServedAsTheyAre() throws {
        let page = PageFiles(folder: nil)
        for name in page.names {
            let response = try #require(page.response(to: "/" + name, acceptsGzip: false))
            #expect(response.body == Self.read(name), "\(name): build again")
            #expect(response.type != "application/octet-stream", "\(name) has no type")
        }
    }

    private static func minified(_ text: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer {
            String(decoding: Minifier.minified($0), as: UTF8.self)
        }
    }

    @Test func whatTravelsHasNeitherCommentsNorIndentation() {
        #expect(
            Self.minified("// Why.\n\n  if (a) {\n    b(\"// no\"); // c\n  }\n")
                == "if (a) {\nb(\"// no\"); // c\n}\n")
        #expect(
            Self.minified("/* Why. */\na {\n  b: c; /* d */\n}") == "a {\nb: c; /* d */\n}\n")
        #expect(Self.minified("") == "")
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

    /// What the front panel's first picture needs; the tools beside it come after it.
    @Test func thePageIsSmallOnItsWay() throws {
        let page = PageFiles(folder: nil)
        var sizes: [String: Int] = [:]
        for name in page.names {
            let response = try #require(page.response(to: "/" + name, acceptsGzip: true))
            sizes[name] = response.body.count
        }
        let first = sizes.filter { !$0.key.hasPrefix("tools/") }.values.reduce(0, +)
        #expect(first <= 45_500, "\(sizes)")
        #expect(sizes.values.reduce(0, +) <= 65_500, "the goal is 60,000: \(sizes)")
    }

    @Test func aFolderIsReadAnew() throws {
        let page = PageFiles(folder: Self.folder)
        #expect(page.response(to: "/", acceptsGzip: true)?.body == Self.read("index.html"))
        #expect(page.response(to: "/README.md", acceptsGzip: true) == nil, "only these names")
        let nowhere = PageFiles(folder: "/nonexistent")
        #expect(nowhere.response(to: "/", acceptsGzip: true)?.status == 404)
    }
}

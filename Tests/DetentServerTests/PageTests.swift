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

    @Test func listEqualsFolder() throws {
        let folder = try #require(opendir(Self.folder))
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        #expect(PageFiles(folder: nil).names.sorted() == names.sorted())
    }

    @Test func theyAreServedAsTheyAre() throws {
        let page = PageFiles(folder: nil)
        for name in page.names {
            let response = try #require(page.response(to: "/" + name, acceptsGzip: false))
            #expect(response.body == Self.read(name), "\(name): build again")
            #expect(response.type != "application/octet-stream", "\(name) has no type")
        }
    }

    @Test func aFolderIsReadAnew() throws {
        let page = PageFiles(folder: Self.folder)
        #expect(page.response(to: "/", acceptsGzip: true)?.body == Self.read("index.html"))
        #expect(page.response(to: "/README.md", acceptsGzip: true) == nil, "only these names")
        let nowhere = PageFiles(folder: "/nonexistent")
        #expect(nowhere.response(to: "/", acceptsGzip: true)?.status == 404)
    }
}

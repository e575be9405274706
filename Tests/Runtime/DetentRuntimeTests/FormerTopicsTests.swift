import Glibc
import TestSupport
import Testing

@testable import DetentRuntime

/// The topics that a panel file has had.
@Suite struct FormerTopicsTests {
    private let folder: FragileFolder

    init() throws { folder = try FragileFolder() }

    private func note(_ topic: String, _ file: String = "/panels/a.yaml") throws -> [String] {
        try FormerTopics.note(topic, ofFile: file, in: folder)
    }

    @Test func theyAreRememberedForEachFile() throws {
        expectEqual(try note("detent/a"), [])
        let writes = folder.writes
        expectEqual(try note("detent/a"), [])
        expectEqual(folder.writes, writes, "nothing is new")
        expectEqual(try note("detent/b"), ["detent/a"])
        expectEqual(try note("x", "/panels/b.yaml"), [])
        expectEqual(try note("detent/c"), ["detent/b", "detent/a"])
        expectEqual(try note("detent/a"), ["detent/c", "detent/b"], "not the present one")
        for number in 0..<20 { _ = try note("n/\(number)") }
        expectEqual(try note("last"), (12...19).reversed().map { "n/\($0)" })
    }

    @Test(arguments: ["", "detent-topics 2\na\n", "\0\u{1}\n", "detent-topics 1\n#\na/+\n"])
    func whatIsNotOursIsNotRead(text: String) throws {
        let name = FormerTopics.name(of: "/panels/a.yaml")
        let folder = try FragileFolder([name: Array(text.utf8)])
        expectEqual(try FormerTopics.note("b", ofFile: "/panels/a.yaml", in: folder), [])
        expectEqual(try FormerTopics.note("c", ofFile: "/panels/a.yaml", in: folder), ["b"])
    }

    @Test func aPowerCutLeavesTheOldOrTheNewTopics() throws {
        _ = try note("a")
        for cut in 0...5 {
            let folder = try FragileFolder(cutAt: cut, folder.files)
            _ = try FormerTopics.note("b", ofFile: "/panels/a.yaml", in: folder)
            for files in folder.afterCut {
                let left = try FragileFolder(files)
                let former = try FormerTopics.note("c", ofFile: "/panels/a.yaml", in: left)
                #expect([["a"], ["b", "a"]].contains(former), "\(cut): \(former)")
            }
        }
    }

    @Test func aFolderThatCannotBeWrittenIsAnError() throws {
        folder.fail(EROFS)
        #expect(throws: StateFolderError(step: "written", errno: EROFS)) { try note("a") }
    }
}

import Glibc
import TestSupport
import Testing

@testable import DetentPlatform

/// Paths from the root, as they are given.
@Suite struct AbsolutePathTests {
    @Test(arguments: [
        ("/a/b.yaml", "/a/b.yaml"), ("//a/./b.yaml", "/a/b.yaml"), ("/a/../b.yaml", "/a/../b.yaml"),
        ("/", "/"), ("/proc/self/exe", "/proc/self/exe"),
    ])
    func fromTheRootItStays(path: String, whole: String) {
        expectEqual(AbsolutePath.of(path), whole)
    }

    @Test func othersAreInTheWorkingFolder() throws {
        let folder = try #require(getcwd(nil, 0))
        defer { free(folder) }
        for path in ["b.yaml", "./b.yaml", ".//b.yaml"] {
            expectEqual(AbsolutePath.of(path), String(cString: folder) + "/b.yaml")
        }
    }
}

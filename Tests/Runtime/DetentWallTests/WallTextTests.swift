import Glibc
import TestSupport
import Testing

@testable import DetentWall

/// What people read about processes that are shut in, or cannot be.
@Suite struct WallTextTests {
    @Test func aProcessThatCannotBeShutInSaysWhyAndWhatToDo() {
        let error = WallError("the gateway", cannotBeShutIn: -EPERM)
        expectEqual(error.cause, "the gateway cannot be shut in: Operation not permitted")
        expectEqual(
            error.remedy,
            "run Detent as an ordinary user; see `What each process may do` in docs/deployment.md")
    }

    /// Only a page that asks for no token, on a kernel that bounds no connections, is worth a word.
    @Test func anOpenPageBesideABrokerIsTold() throws {
        #expect(ProcessWall.note(pageAsksForToken: true, isBounded: false) == nil)
        #expect(ProcessWall.note(pageAsksForToken: false, isBounded: true) == nil)
        let note = try #require(ProcessWall.note(pageAsksForToken: false, isBounded: false))
        let lines = note.split(separator: "\n")
        expectEqual(lines.count, 2)
        #expect(lines[0].hasPrefix("detent: the page asks for no token"))
        #expect(lines[1].hasPrefix("help: use `--token-file`"))
    }
}

import Glibc
import Processes
import Testing

@testable import DetentActions

/// The process that ends programs behind a panel that died.
@Suite struct GuardianTests {
    /// The names of the processes that this one has to reap.
    private var children: [String] {
        ProcessTree.children(of: getpid(), withDead: true).map {
            ProcessTree.text("/proc/\($0)/comm")
        }
    }

    /// A process that starts many of them keeps no dead one.
    @Test func theSystemReapsIt() throws {
        for _ in 0..<3 {
            let guardian = try Guardian()
            #expect(!children.contains("detent-guard\n"), "it is a child of this process")
            withExtendedLifetime(guardian) {}
        }
        #expect(!children.contains("detent-guard\n"))
    }
}

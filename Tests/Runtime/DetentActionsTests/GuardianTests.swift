import Glibc
import Processes
import Testing

@testable import DetentActions

/// The process that ends programs behind a panel that died.
@Suite struct GuardianTests {
    /// The names of the processes that this one has to reap, without those of other programs: tests
    /// beside this one start panels, and each has a guardian.
    private var children: [String] {
        let own = ProcessTree.text("/proc/self/cmdline")
        return ProcessTree.children(of: getpid(), withDead: true).filter {
            // Of one that is dead there is no command line.
            ["", own].contains(ProcessTree.text("/proc/\($0)/cmdline"))
        }.map { ProcessTree.text("/proc/\($0)/comm") }
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

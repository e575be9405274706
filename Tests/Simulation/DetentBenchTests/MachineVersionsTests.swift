import TestSupport
import Testing

@testable import DetentBench

/// Kernels that are too old for the lines of a panel.
@Suite struct MachineVersionsTests {
    private func findings(_ kernel: String, interface: Int) -> [Finding] {
        MachineVersions(
            program: "0.1.0", library: interface == 2 ? "2.1.3" : "1.6.3", interface: interface,
            kernel: kernel
        ).findings
    }

    @Test func theVersionsAreOneLine() {
        expectEqual(
            findings("6.1.0-13-arm64", interface: 1),
            [
                .fine("Detent 0.1.0, libgpiod 1.6.3, kernel interface 1, Linux 6.1.0-13-arm64")
            ])
    }

    @Test(arguments: [
        ("5.5.0", 1, false), ("5.4.260-rt1", 1, true), ("5.9.16", 2, true), ("5.10.0-1", 2, false),
        ("4.19.0", 2, true), ("10.0", 2, false), ("unknown", 2, false),
    ])
    func oldKernelsAreAProblem(kernel: String, interface: Int, isOld: Bool) {
        let found = findings(kernel, interface: interface)
        expectEqual(found.map(\.weight), (isOld ? [.fine, .problem] : [.fine]))
    }
}

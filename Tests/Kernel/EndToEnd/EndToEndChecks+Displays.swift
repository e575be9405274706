internal import Glibc
internal import KernelSupport

/// A display that is a file of the kernel.
extension EndToEndChecks {
    static let displays: [(name: String, run: @Sendable () throws -> Void)] = [
        ("displays: a file of the kernel has the text that fits, and is cleared", kernelFile)
    ]

    /// A file of the kernel always seems to have an error to a process that waits for it. One that
    /// counted as lost would be dark for a second after each text.
    private static func kernelFile() throws {
        // The alias of a network interface is a text that replaces the former one, as the message
        // of a row of digits.
        let file = "/sys/class/net/lo/ifalias"
        try expect(access(file, W_OK) == 0, "\(file) cannot be written here")
        let chip = try makeChip()
        defer { chip.remove() }
        let display =
            "    display: {file: \(file), columns: 6}\n"
            + "    states: {off: Off, on: Transmitting}\n"
        let daemon = try Daemon(panel: panel("{wait: 1ms}") + display)
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        try expect(eventually { text(file) == "Off   \n" }, "it shows '\(text(file))'")
        for (isHigh, wanted) in [(true, "Transm\n"), (false, "Off   \n"), (true, "Transm\n")] {
            usleep(50_000)
            chip.pull(0, high: isHigh)
            try daemon.event("power", "\"confirmed\"", isHigh ? "\"on\"" : "\"off\"")
            var waits = 0
            while text(file) != wanted, waits < 40 {
                usleep(10_000)
                waits += 1
            }
            try expect(waits < 40, "0.4 s after the value it shows '\(text(file))'")
        }
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
        try expect(text(file) == "      \n", "at the end it shows '\(text(file))'")
    }

    private static func text(_ file: String) -> String { (try? KernelFile.text(file)) ?? "" }
}

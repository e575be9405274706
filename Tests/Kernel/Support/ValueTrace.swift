/// The kernel's own record of the levels that outputs were driven to; needs tracefs and debugfs.
///
/// A simulated line falls back to its pull when it is released, so that what was driven just before
/// can only be seen here.
public enum ValueTrace {
    private static let folder = "/sys/kernel/tracing"

    /// Starts recording, with an empty record; false where the kernel cannot.
    public static func start() -> Bool {
        KernelFile.put("", into: "\(folder)/trace")
            && KernelFile.put("1", into: "\(folder)/events/gpio/gpio_value/enable")
    }

    /// The level that a line was driven to last; nil if it was not driven or cannot be known.
    ///
    /// - Parameter firstNumber: the kernel's global number of the chip's first line.
    public static func lastLevel(offset: Int, firstNumber: Int) -> Bool? {
        guard let trace = try? KernelFile.text("\(folder)/trace") else { return nil }
        var level: Bool?
        for line in trace.split(separator: "\n") {
            // … gpio_value: 496 set 1
            let words = line.split(separator: " ")
            guard words.count >= 4, words[words.count - 4] == "gpio_value:",
                words[words.count - 2] == "set", Int(words[words.count - 3]) == firstNumber + offset
            else { continue }
            level = words[words.count - 1] == "1"
        }
        return level
    }

    /// The global number of a chip's first line; nil where debugfs does not tell.
    public static func firstNumber(ofChip chip: String) -> Int? {
        guard let list = try? KernelFile.text("/sys/kernel/debug/gpio") else { return nil }
        for line in list.split(separator: "\n") where line.hasPrefix("\(chip): GPIOs ") {
            // gpiochip0: GPIOs 496-511, parent: …
            let range = line.dropFirst(chip.count + 8).prefix { $0 != "," }
            return range.split(separator: "-").first.flatMap { Int($0) }
        }
        return nil
    }
}

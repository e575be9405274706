/// The kernel's trace of the levels of outputs; needs tracefs and debugfs.
///
/// A simulated line returns to its pull when it is released, so the level before that is visible
/// only here.
public enum ValueTrace {
    private static let folder = "/sys/kernel/tracing"

    /// Starts an empty trace; false if the kernel does not support it.
    public static func start() -> Bool {
        KernelFile.put("", into: "\(folder)/trace")
            && KernelFile.put("1", into: "\(folder)/events/gpio/gpio_value/enable")
    }

    /// The last level that a line was driven to; nil if it was not driven or is unknown.
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

    /// How often a line was written since `start`.
    public static func writes(offset: Int, firstNumber: Int) -> Int {
        guard let trace = try? KernelFile.text("\(folder)/trace") else { return 0 }
        return trace.split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            return words.count >= 4 && words[words.count - 4] == "gpio_value:"
                && words[words.count - 2] == "set"
                && Int(words[words.count - 3]) == firstNumber + offset
        }
    }

    /// The global number of a chip's first line; nil if debugfs does not contain it.
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

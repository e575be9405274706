import Glibc

/// The far side of one simulated line: what pulls an input, and what an output drives.
final class GPIOSimLine {
    private let folder: String
    private let pullFile: Int32
    private let valueFile: Int32

    /// Opens the files of a line.
    ///
    /// - Throws: where this user may not move it.
    init(folder: String, name: String) throws(GPIOSimError) {
        self.folder = folder
        pullFile = open("\(folder)/pull", O_WRONLY | O_CLOEXEC)
        let error = errno
        valueFile = open("\(folder)/value", O_RDONLY | O_CLOEXEC)
        if pullFile < 0 || valueFile < 0 {
            throw GPIOSimError(
                cause: "\(name) cannot be moved: \(folder)/pull: "
                    + String(cString: strerror(error)),
                remedy: "run it as root, with the simulated chip plugged in")
        }
    }

    deinit {
        if pullFile >= 0 { close(pullFile) }
        if valueFile >= 0 { close(valueFile) }
    }

    /// Pulls the line up or down; false where the chip is gone.
    func pull(isHigh: Bool) -> Bool {
        let text: StaticString = isHigh ? "pull-up" : "pull-down"
        return pwrite(pullFile, text.utf8Start, text.utf8CodeUnitCount, 0)
            == text.utf8CodeUnitCount
    }

    /// Whether the line is high; nil where the chip is gone.
    var isHigh: Bool? {
        var letter: UInt8 = 0
        return pread(valueFile, &letter, 1, 0) == 1 ? letter == UInt8(ascii: "1") : nil
    }
}

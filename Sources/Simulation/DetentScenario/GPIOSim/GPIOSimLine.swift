import Glibc

/// The simulated side of one line: the pull of an input, and the level of an output.
final class GPIOSimLine {
    private let folder: String
    private let pullFile: Int32
    private let valueFile: Int32

    /// Opens the files of a line.
    ///
    /// - Throws: `GPIOSimError` if this user may not change it.
    init(folder: String, name: String) throws(GPIOSimError) {
        self.folder = folder
        pullFile = open("\(folder)/pull", O_WRONLY | O_CLOEXEC)
        let error = errno
        valueFile = open("\(folder)/value", O_RDONLY | O_CLOEXEC)
        if pullFile < 0 || valueFile < 0 {
            throw GPIOSimError(
                cause: "cannot change \(name): \(folder)/pull: "
                    + String(cString: strerror(error)),
                remedy: "run as root, with the simulated chip enabled")
        }
    }

    deinit {
        if pullFile >= 0 { close(pullFile) }
        if valueFile >= 0 { close(valueFile) }
    }

    /// Pulls the line up or down; false if the chip was removed.
    func pull(isHigh: Bool) -> Bool {
        let text: StaticString = isHigh ? "pull-up" : "pull-down"
        return pwrite(pullFile, text.utf8Start, text.utf8CodeUnitCount, 0)
            == text.utf8CodeUnitCount
    }

    /// Whether the line is high; nil if the chip was removed.
    var isHigh: Bool? {
        var letter: UInt8 = 0
        return pread(valueFile, &letter, 1, 0) == 1 ? letter == UInt8(ascii: "1") : nil
    }
}

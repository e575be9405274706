import Glibc

/// The variables with which this program starts the parts of itself that read what strangers send.
///
/// Everything else stays in the panel: the variables of a service hold secrets of its actions.
public enum SparseEnvironment {
    /// Variables that only say how a program is loaded and examined.
    static let defaults = [
        "LD_LIBRARY_PATH", "LD_PRELOAD", "SWIFT_BACKTRACE", "ASAN_OPTIONS", "LSAN_OPTIONS",
        "TSAN_OPTIONS",
    ]

    /// The variables of this process that a part of it gets, each as `NAME=value` with a final
    /// zero.
    ///
    /// - Parameter others: the names of further ones that it needs. What is not set is left out.
    public static func variables(and others: [String] = []) -> [[CChar]] {
        var names = defaults
        for name in others where !names.contains(name) { names.append(name) }
        return names.compactMap { name in
            getenv(name).map { value in
                Array("\(name)=".utf8CString.dropLast())
                    + UnsafeBufferPointer(start: value, count: strlen(value) + 1)
            }
        }
    }
}

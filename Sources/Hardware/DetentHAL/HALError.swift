public import DetentTypes

/// Why a line cannot be used, with a remedy for people.
public struct HALError: DescribedError, Equatable, Sendable {
    /// The kinds of cause.
    public enum Code: String, Equatable, Sendable, CaseIterable {
        /// The user may not open the chip's device.
        case permissionDenied
        /// Another program or the kernel uses the line; `holder` names it.
        case busy
        /// No line has this name, or the chip has no such offset.
        case noSuchLine
        /// Several lines have this name.
        case ambiguousLine
        /// No chip with that label or parent device is present.
        case noSuchChip
        /// The chip does not support the request, such as edges or a long hardware debounce.
        case unsupported
        /// The chip was removed, or its bus fails.
        case unplugged
        /// Any other error of the kernel.
        case system
    }

    /// The kind of error, for programs; `cause` and `remedy` are for people.
    public var code: Code
    /// The line's name in the panel file.
    public var line: String
    /// The system's error number; 0 if the system was not involved.
    public var errno: Int32
    /// The consumer name of the program that uses the line, for `busy`.
    public var holder: String?
    /// The cause, in one line.
    public var cause: String
    /// The remedy, in one line.
    public var remedy: String

    /// Makes an error.
    public init(
        code: Code, line: String, errno: Int32 = 0, holder: String? = nil, cause: String,
        remedy: String
    ) {
        self.code = code
        self.line = line
        self.errno = errno
        self.holder = holder
        self.cause = cause
        self.remedy = remedy
    }
}

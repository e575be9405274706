public import DetentTypes

/// Why a line cannot be used, with what a person needs to mend it.
public struct HALError: DescribedError, Equatable, Sendable {
    /// The kinds of cause.
    public enum Code: String, Equatable, Sendable, CaseIterable {
        /// The chip's device may not be opened by this user.
        case permissionDenied
        /// Another program or the kernel itself has the line; `holder` names it.
        case busy
        /// No line of that name, or no such offset on that chip.
        case noSuchLine
        /// A name that several lines have.
        case ambiguousLine
        /// No chip with that label or parent device is present.
        case noSuchChip
        /// The chip cannot do what was asked, such as edges or a long hardware debounce.
        case unsupported
        /// The chip went away, or its bus fails.
        case unplugged
        /// Anything else the kernel said.
        case system
    }

    /// What went wrong, for programs; `cause` and `remedy` are for people.
    public var code: Code
    /// The line's name in the panel file.
    public var line: String
    /// The system's error number; 0 where the cause was found without one.
    public var errno: Int32
    /// The consumer name of whoever has the line, for `busy`.
    public var holder: String?
    /// What was found, in one line.
    public var cause: String
    /// What to do about it, in one line.
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

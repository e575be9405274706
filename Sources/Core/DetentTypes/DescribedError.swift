#if !hasFeature(Embedded)
    /// An error with a cause and a remedy for the person who reads the message.
    ///
    /// Both are one line, without a full stop at the end. Neither repeats the name of the file or
    /// the line that the message begins with. The core has no such errors.
    public protocol DescribedError: Error {
        /// What is wrong.
        var cause: String { get }
        /// What to do about it; empty if the cause says it.
        var remedy: String { get }
    }
#endif

import CPlatform

/// The memory of this process.
public enum Memory {
    /// Lets threads that are made from now on take little: where memory is locked, all of a stack
    /// is there, used or not. Call it before any is made.
    public static func keepSmall() { detent_keep_small() }

    /// Gives back the pages of the program itself that only its start has needed.
    ///
    /// Reading a panel file and opening lines touch several megabytes of code that a running daemon
    /// never sees again. What is needed after all comes back from the file when it is touched, so
    /// this is nothing for a real-time thread, whose memory is locked anyway.
    public static func forgetStart() { detent_forget_start() }
}

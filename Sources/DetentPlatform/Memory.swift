import CPlatform

/// The memory of this process.
public enum Memory {
    /// Gives small stacks to the threads that are created from now on. With locked memory, all of a
    /// stack uses memory. Call it before any thread is created.
    public static func keepSmall() { detent_keep_small() }

    /// Releases the pages of program code that only the start needed.
    ///
    /// Reading a panel file and opening lines use several megabytes of code that a running daemon
    /// no longer needs. Pages that are needed again are read from the file. Do not use this with a
    /// real-time thread, whose memory is locked.
    public static func forgetStart() { detent_forget_start() }
}

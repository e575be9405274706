import CPlatform
import Synchronization

/// The memory of this process.
public enum Memory {
    /// Gives small stacks to the threads that are created from now on. With locked memory, all of a
    /// stack uses memory. Call it before any thread is created.
    public static func keepSmall() { detent_keep_small() }

    /// Gives the system what this process does not need at rest: the free memory of the heap, and
    /// pages of program code.
    ///
    /// Reading a panel file, opening lines and answering a browser use several megabytes of code
    /// that a panel at rest does not need. Pages that are needed again are read from the file. The
    /// code from an edge to its lamp stays, and so does what is locked: call it before
    /// `RealTime.enter`. It takes less than a millisecond, and may be called from any thread.
    ///
    /// - Parameter libraries: also the code of libraries, which the loop uses too.
    public static func giveBack(libraries: Bool = true) { detent_give_back(libraries) }

    /// Every `Ring` that is made from now on has all of its memory at once, so that no first use of
    /// a place has to wait for it. For locked memory; otherwise places that are never used take
    /// none.
    public static func takeQueuesInAdvance() {
        takesQueuesInAdvance.store(true, ordering: .relaxed)
    }

    static var hasQueuesInAdvance: Bool { takesQueuesInAdvance.load(ordering: .relaxed) }

    private static let takesQueuesInAdvance = Atomic<Bool>(false)
}

public import DetentHAL
public import DetentTypes

/// The physical side of a panel under test: fingers, lamps, cables, and another program.
///
/// A world implements it once and then runs every check of `BackendContract`. Lines are counted
/// from 0 as in `locations`; levels are electrical here, so that polarity is tested too.
///
/// Synchronization: none; all calls come from the thread that runs the check.
public protocol LineDriver: AnyObject {
    /// Where eight or more lines are, which a backend can find; all on one chip, all low at first.
    var locations: [LineLocation] { get }

    /// Whether the backend counts edges. Where it does not, sequences must be 0.
    var countsEdges: Bool { get }

    /// Whether pull-ups and pull-downs work.
    var hasBias: Bool { get }

    /// How much later than `set` an edge may be stamped.
    var stampTolerance: TimeSpan { get }

    /// The moment on the clock that the backend stamps with.
    var now: Instant { get }

    /// A backend that holds nothing yet and sees these lines.
    func makeBackend() -> any GPIOBackend

    /// Moves a line from outside, as a contact does; other lines stay as they are.
    func set(line: Int, high: Bool)

    /// The level that an output drives its pin to.
    func isHigh(line: Int) -> Bool

    /// The last level that a line was driven to before it was given back; nil where that cannot be
    /// seen.
    func wasHighWhenReleased(line: Int) -> Bool?

    /// Lets time pass until one of the backend's descriptors is readable, its deadline is over, or
    /// `moment`.
    ///
    /// Says `markReady` for the descriptors that are readable, if it knows them.
    func wait(for backend: any GPIOBackend, until moment: Instant)

    /// Lets another program take a line; its name as the kernel tells it, nil where there is no
    /// other.
    func hold(line: Int) -> String?

    /// Lets the other program give the line back.
    func letGo(line: Int)

    /// Takes the chip away; false where that cannot be done.
    func unplug() -> Bool

    /// Puts the same chip back, all lines low.
    func plug()
}

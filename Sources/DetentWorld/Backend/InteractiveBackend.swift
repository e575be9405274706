public import DetentHAL
public import DetentPlatform
public import DetentTypes
import Synchronization

/// A simulated backend whose panel other threads can touch: the hand of `detent sim`.
///
/// Everything but `send` belongs to the loop's thread. A gesture is made when the loop drains,
/// which it does at once, at the clock of that turn.
public final class InteractiveBackend: GPIOBackend {
    /// Gestures that wait; a hand that is faster is told so.
    public static let waitingGestures = 1_024

    private let simulated: SimulatedBackend
    private let waiting: Mutex<[Gesture]>
    private let wakeUp: WakeUp
    private let isMoving = Atomic<Bool>(false)
    /// Told of a gesture that the panel's parts cannot make; called on the loop's thread.
    private let refused: @Sendable (Gesture, GestureError) -> Void

    /// Puts a hand beside a simulated panel.
    ///
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init(
        _ simulated: SimulatedBackend,
        refused: @escaping @Sendable (Gesture, GestureError) -> Void
    ) throws(PlatformError) {
        self.simulated = simulated
        self.refused = refused
        waiting = Mutex([])
        wakeUp = try WakeUp()
    }

    /// A hand that any thread may move.
    public var hand: Hand { Hand(backend: self) }

    /// Moves the panel's parts from any thread.
    public struct Hand: @unchecked Sendable {
        // Unchecked: it touches only the locked queue and the wake-up.
        fileprivate let backend: InteractiveBackend

        /// Whether every gesture is over, with its bounces.
        public var isAtRest: Bool {
            backend.waiting.withLock { $0.isEmpty }
                && !backend.isMoving.load(ordering: .acquiring)
        }

        /// Makes a gesture as soon as the loop looks; false where too many wait.
        public func make(_ gesture: Gesture) -> Bool {
            let isTaken = backend.waiting.withLock { waiting in
                guard waiting.count < InteractiveBackend.waitingGestures else { return false }
                waiting.append(gesture)
                return true
            }
            backend.wakeUp.ring()
            return isTaken
        }
    }

    /// Requests all lines, as `GPIOBackend.open` says.
    public func open(_ lines: [LineSettings]) -> [HALError] { simulated.open(lines) }

    /// What becomes readable when `drain` has something to give.
    public var descriptors: [Int32] { [wakeUp.descriptor] }
    /// Changes whenever `descriptors` do.
    public var descriptorGeneration: UInt32 { 0 }
    /// When `drain` has to be called although nothing is readable.
    public var deadline: Instant { simulated.deadline }

    /// Gives what happened since the last call, as `GPIOBackend.drain` says.
    public func drain(
        into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant
    ) -> Int {
        wakeUp.clear()
        // What has happened until now leaves the queue before a gesture lets the world go on.
        let before = simulated.drain(into: buffer, now: now)
        let gestures = waiting.withLock { waiting in
            let taken = waiting
            waiting.removeAll(keepingCapacity: true)
            if !taken.isEmpty { isMoving.store(true, ordering: .releasing) }
            return taken
        }
        for gesture in gestures {
            do throws(GestureError) {
                try simulated.apply(gesture, at: now)
            } catch {
                refused(gesture, error)
            }
        }
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[before...])
        let count = before + simulated.drain(into: rest, now: now)
        isMoving.store(simulated.deadline != .never, ordering: .releasing)
        return count
    }

    /// Reads a level, as `GPIOBackend.read` says.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        simulated.read(line, now: now)
    }

    /// Drives an output, as `GPIOBackend.write` says.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        simulated.write(line, level, now: now)
    }

    /// Gives all lines back, outputs at their levels for that.
    public func close() { simulated.close() }
}

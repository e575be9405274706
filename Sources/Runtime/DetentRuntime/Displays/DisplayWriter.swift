import DetentActions
public import DetentPanel
import DetentPlatform
public import DetentTypes
import Synchronization

/// Shows what controls report on the displays of a panel.
///
/// Each display has a thread, which sleeps until its text changes. So a slow bus, a stuck program
/// or a missing device delays neither the panel nor another display. A text that is replaced before
/// it was written is never written. A fault is logged once, with a remedy, and the display is tried
/// again after a pause. At the end the displays are cleared.
public final class DisplayWriter: Sendable {
    private let board: Mutex<DisplayBoard>
    private let displays: [DisplayPlan]
    private let wakeUps: [WakeUp]
    private let shallEnd = Atomic<Bool>(false)
    private let threads = Mutex<[WorkerThread]>([])

    /// Starts a thread for each display.
    ///
    /// - Parameters:
    ///   - guardian: kills the programs of displays when this process dies; nil if no display is a
    ///     program.
    ///   - log: prints messages for people, from any thread.
    ///   - describe: describes a screen of dots; tests have screens of their own.
    /// - Throws: `PlatformError` if no descriptor or thread is available.
    init(
        _ board: DisplayBoard, _ displays: [DisplayPlan], _ guardian: Guardian?,
        log: @escaping @Sendable (String) -> Void,
        describe: @escaping @Sendable (Int32) -> Framebuffer? = { Framebuffer.describe($0) }
    ) throws(PlatformError) {
        self.board = Mutex(board)
        self.displays = displays
        var wakeUps: [WakeUp] = []
        for _ in displays { wakeUps.append(try WakeUp()) }
        self.wakeUps = wakeUps
        for place in displays.indices {
            let link = DisplayLink(
                displays[place], guardian: guardian, log: log, describe: describe)
            let thread = try WorkerThread(named: "detent-display") { [self] in
                work(place, link)
            }
            threads.withLock { $0.append(thread) }
        }
    }

    /// What is known of the controls.
    var facts: [DisplayFacts] { board.withLock { $0.facts } }

    /// Shows another panel on the same displays; false, without an effect, if one has another
    /// device, size or place.
    func adopt(_ next: DisplayBoard, _ displays: [DisplayPlan]) -> Bool {
        let isSame =
            displays.count == self.displays.count
            && zip(displays, self.displays).allSatisfy {
                ($0.device, $0.columns, $0.rows) == ($1.device, $1.columns, $1.rows)
            }
        guard isSame else { return false }
        board.withLock { $0 = next }
        for wakeUp in wakeUps { wakeUp.ring() }
        return true
    }

    /// Follows a report; never waits for a display.
    public func record(_ report: TimedReport) {
        let place = board.withLock { $0.record(report.report, at: report.at) }
        if let place { wakeUps[place].ring() }
    }

    /// Clears the displays, ends their programs, and ends the threads.
    ///
    /// - Returns: false if a display did not take its last text within `span`; its thread is then
    ///   abandoned.
    @discardableResult
    public func stop(within span: TimeSpan) -> Bool {
        shallEnd.store(true, ordering: .releasing)
        for wakeUp in wakeUps { wakeUp.ring() }
        let deadline = MonotonicClock.now + span
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        return threads.reduce(true) { $1.join(until: deadline) && $0 }
    }

    /// Looks whether a display could be used now; changes nothing that it shows.
    ///
    /// The first opening since the start of the machine clears a character display. A program is
    /// not started.
    /// - Returns: what is wrong; nil if nothing is.
    public static func check(_ display: DisplayPlan) -> DisplayFault? {
        DisplayLink.check(display)
    }

    private func work(_ place: Int, _ first: DisplayLink) {
        var link = first
        var set = PollSet(capacity: 3)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            wakeUps[place].clear()
            let isEnding = shallEnd.load(ordering: .acquiring)
            let now = MonotonicClock.now
            var (rows, deadline) = board.withLock { board in
                (board.rows(of: place, at: now), board.deadline(of: place))
            }
            if isEnding { rows = rows.map { _ in "" } }
            let wait = link.show(rows, at: now)
            if isEnding { return link.end() }
            set.removeAll()
            _ = set.add(wakeUps[place].descriptor)
            switch wait {
            case .end: _ = set.add(link.descriptor, for: .nothing)
            case .room: _ = set.add(link.descriptor, for: .writing)
            case .until(let moment):
                deadline = min(deadline, moment)
                _ = set.add(-1)
            }
            _ = set.add(link.errorDescriptor(at: now))
            _ = set.wait(now: now, until: min(deadline, link.careAt(after: now)))
            link.readErrors(into: buffer, isReady: set.isReady(2), at: MonotonicClock.now)
            if set.hasHungUp(1) { link.hangUp(at: MonotonicClock.now) }
        }
    }
}

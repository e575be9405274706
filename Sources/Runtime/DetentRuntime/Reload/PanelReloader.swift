public import DetentHAL
public import DetentPanel
import DetentPlatform
import DetentTypes
import Synchronization

/// Reads the file of a running panel again, and lets the new panel follow it, or says why not.
///
/// The file is read, checked and compared outside the real-time loop. A file with an error changes
/// nothing. Safe from any thread except that of the loop; one reload at a time.
public final class PanelReloader: Sendable {
    /// What a reload came to.
    public struct Outcome: Equatable, Sendable {
        /// How it ended.
        public enum Result: String, Equatable, Sendable {
            case changed, unchanged, refused
        }

        /// How it ended.
        public var result: Result
        /// What changed, or every reason why nothing did; lines that end with a line feed.
        public var text: String

        /// Makes an outcome.
        public init(result: Result, text: String) {
            self.result = result
            self.text = text
        }
    }

    /// What a panel file is now.
    public struct Reading: Sendable {
        /// The panel; nil if the file has errors.
        public var plan: PanelPlan?
        /// Errors and warnings, as people read them.
        public var problems: String

        /// Makes a reading.
        public init(plan: PanelPlan?, problems: String) {
            self.plan = plan
            self.problems = problems
        }
    }

    private let plan: Mutex<PanelPlan>
    private let file: String
    private let read: @Sendable () -> Reading
    private let change: @Sendable (PanelChange) -> PanelChange.Answer?
    private let words: @Sendable ([HALError]) -> String

    /// Prepares to reload a panel.
    ///
    /// - Parameters:
    ///   - plan: the panel that runs.
    ///   - file: the path, for messages.
    ///   - read: reads the file.
    ///   - change: gives a change to the loop, and waits for its answer.
    ///   - words: lines about GPIO lines that could not be requested.
    public init(
        _ plan: PanelPlan, file: String, read: @escaping @Sendable () -> Reading,
        change: @escaping @Sendable (PanelChange) -> PanelChange.Answer?,
        words: @escaping @Sendable ([HALError]) -> String
    ) {
        self.plan = Mutex(plan)
        self.file = file
        self.read = read
        self.change = change
        self.words = words
    }

    /// Reloads the file.
    public func reload() -> Outcome {
        plan.withLock { plan in
            let reading = read()
            guard var next = reading.plan else { return refused(reading.problems) }
            next.callers = plan.callers
            let difference = PanelDifference(from: plan, to: next)
            if difference.isEmpty {
                return Outcome(
                    result: .unchanged, text: "detent: \(file): nothing changed\n")
            }
            let request: PanelChange
            do throws(PlatformError) {
                request = try PanelChange(to: next, difference)
            } catch {
                return refused("error: \(error.cause)\nhelp: \(error.remedy)\n")
            }
            switch change(request) {
            case .changed:
                plan = next
                return Outcome(
                    result: .changed,
                    text: reading.problems
                        + "detent: \(file) was reloaded: \(difference.summary)\n")
            case .refused(let errors):
                return refused(words(errors))
            case .impossible(let cause, let remedy):
                return refused("\(file): error: \(cause)\nhelp: \(remedy)\n")
            case nil:
                return refused(
                    "\(file): error: the panel did not answer\n"
                        + "help: see its log; restart the panel if it hangs\n")
            }
        }
    }

    private func refused(_ reasons: String) -> Outcome {
        Outcome(
            result: .refused,
            text: reasons + "detent: \(file) was not reloaded; the panel continues as it was\n")
    }
}

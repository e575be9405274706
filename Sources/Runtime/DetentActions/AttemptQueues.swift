/// Decides which attempt may run: one at a time for each action, and a limited number in total.
///
/// It starts nothing itself. Every call takes constant time, except `cancel`, `removeWaiting` and
/// `running`: `cancel` searches the bounded queue of one action, the others look at all actions.
struct AttemptQueues: Equatable {
    /// What happens to a new attempt.
    enum Admission: Equatable {
        case start
        case wait
        /// The action's queue is full.
        case refuse
    }

    /// Where a cancelled attempt was.
    enum Cancellation: Equatable {
        case waiting(ActionCommand)
        case running
        case unknown
    }

    private struct Lane: Equatable {
        var running: ActionCommand?
        var waiting: [ActionCommand] = []
        /// Whether `lanesInLine` contains it.
        var isInLine = false
    }

    private var lanes: [Lane]
    private var lanesInLine: [Int] = []
    private(set) var runningCount = 0
    private let limit: Int
    private let waitingLimit: Int

    /// Makes empty queues for a number of actions.
    init(
        actions: Int, running limit: Int = ActionLimits.running,
        waiting waitingLimit: Int = ActionLimits.waitingPerAction
    ) {
        lanes = Array(repeating: Lane(), count: actions)
        self.limit = limit
        self.waitingLimit = waitingLimit
    }

    /// Adds actions after the known ones.
    mutating func add(_ actions: Int) {
        lanes += Array(repeating: Lane(), count: actions)
    }

    /// The attempts that run.
    var running: [ActionCommand] { lanes.compactMap(\.running) }

    /// Takes a new attempt; after `start` it counts as running. The action must be in range.
    mutating func admit(_ command: ActionCommand) -> Admission {
        let index = Int(command.action)
        if lanes[index].running == nil, !lanes[index].isInLine, runningCount < limit {
            lanes[index].running = command
            runningCount += 1
            return .start
        }
        if lanes[index].waiting.count >= waitingLimit { return .refuse }
        lanes[index].waiting.append(command)
        putInLine(index)
        return .wait
    }

    /// Removes an attempt from its queue, or reports that it runs.
    mutating func cancel(_ command: ActionCommand) -> Cancellation {
        let index = Int(command.action)
        if lanes[index].running?.run == command.run { return .running }
        guard let place = lanes[index].waiting.firstIndex(where: { $0.run == command.run }) else {
            return .unknown
        }
        return .waiting(lanes[index].waiting.remove(at: place))
    }

    /// Notes that the running attempt of an action is over.
    ///
    /// - Returns: the attempts that start now; they count as running.
    mutating func ended(action: UInt16) -> [ActionCommand] {
        let index = Int(action)
        if lanes[index].running == nil { return [] }
        lanes[index].running = nil
        runningCount -= 1
        putInLine(index)
        var starting: [ActionCommand] = []
        while runningCount < limit, !lanesInLine.isEmpty {
            let next = lanesInLine.removeFirst()
            lanes[next].isInLine = false
            // Empty if the waiting attempts were cancelled.
            if lanes[next].waiting.isEmpty { continue }
            let command = lanes[next].waiting.removeFirst()
            lanes[next].running = command
            runningCount += 1
            starting.append(command)
        }
        return starting
    }

    /// Empties all queues.
    mutating func removeWaiting() -> [ActionCommand] {
        var removed: [ActionCommand] = []
        for index in lanes.indices {
            removed += lanes[index].waiting
            lanes[index].waiting = []
            lanes[index].isInLine = false
        }
        lanesInLine = []
        return removed
    }

    /// An action waits for a free place only while none of its own attempts runs.
    private mutating func putInLine(_ index: Int) {
        if lanes[index].running == nil, !lanes[index].isInLine, !lanes[index].waiting.isEmpty {
            lanes[index].isInLine = true
            lanesInLine.append(index)
        }
    }
}

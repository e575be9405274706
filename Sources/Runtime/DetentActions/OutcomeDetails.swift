public import DetentTypes
import Synchronization

/// The results of the last attempts, for the log and for history.
///
/// Bounded by `ActionLimits.details`; at most about 8 MiB if every program filled both tails. Any
/// thread except the real-time loop may use it: it takes a lock.
public final class OutcomeDetails: Sendable {
    private struct Store {
        var results: [ActionResult] = []
        var places: [UInt32: Int] = [:]
        var next = 0
    }

    private let store = Mutex(Store())

    init() {}

    /// The result of an attempt; nil if it has not ended, or ended too long ago.
    public subscript(run: RunID) -> ActionResult? {
        store.withLock { store in
            store.places[run.number].map { store.results[$0] }
        }
    }

    func add(_ result: ActionResult) {
        store.withLock { store in
            if store.results.count < ActionLimits.details {
                store.results.append(result)
            } else {
                let oldest = store.results[store.next].run.number
                if store.places[oldest] == store.next { store.places[oldest] = nil }
                store.results[store.next] = result
            }
            store.places[result.run.number] = store.next
            store.next = (store.next + 1) % ActionLimits.details
        }
    }
}

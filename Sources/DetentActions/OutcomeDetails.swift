public import DetentTypes
import Synchronization

/// The results of the last attempts, for those who write history.
///
/// Bounded by `ActionLimits.details`; at most about 8 MiB where every program filled both tails.
/// Any thread but the real-time loop may ask: a lock is taken.
public final class OutcomeDetails: Sendable {
    private struct Store {
        var results: [ActionResult] = []
        var places: [UInt32: Int] = [:]
        var next = 0
    }

    private let store = Mutex(Store())

    init() {}

    /// The result of an attempt; nil where it has not ended or is too long ago.
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

internal import DetentHAL
internal import DetentTypes

extension GPIODBackend {
    /// Handles the results of the worker thread.
    func readWorker(now: Instant) {
        guard let worker else { return }
        worker.acknowledge()
        if let connection = worker.takeConnection() {
            install(connection, isRestoring: true)
            scheduleRetry(now: now)
        }
        while pending.room > 1, let result = worker.nextResult() {
            // Results of a former request do not apply to the one that replaced it.
            guard slots[result.slot].group === result.group else { continue }
            accept(result)
        }
        if pending.room <= 1 { hasMore = true }
    }

    private func accept(_ result: BlockingIOWorker.Result) {
        switch result.event.kind {
        case .fault(let errno): fail(result.slot, errno: errno, at: result.event.at)
        case .restored:
            slots[result.slot].isFaulty = false
            put(result.slot, .restored, at: result.event.at)
        case .edge, .reading, .sample, .overflow, .written:
            put(result.slot, result.event.kind, at: result.event.at)
        }
    }
}

import DetentFleet
import Synchronization

/// What a fleet on another thread came to.
final class FleetResult: Sendable {
    private let result = Mutex<Result<FleetReport, any Error>?>(nil)

    func set(_ value: Result<FleetReport, any Error>) { result.withLock { $0 = value } }

    func get() -> Result<FleetReport, any Error>? { result.withLock { $0 } }
}

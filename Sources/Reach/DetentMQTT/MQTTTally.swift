import DetentTypes
import DetentWall

/// Counts what the connection to a broker does, and says when the panel is to be told: of its
/// beginning and its end at once, of the rest at most once in `MQTTLimits.tellingFigures`.
struct MQTTTally {
    /// The figures now.
    var figures = MQTTFigures()
    private var told = MQTTFigures()
    private var opensAt = Instant.zero

    /// The figures, if the panel is to be told them now.
    mutating func next(at now: Instant) -> MQTTFigures? {
        guard deadline <= now else { return nil }
        told = figures
        opensAt = now + MQTTLimits.tellingFigures
        return figures
    }

    /// When `next` is due; `never` if the panel knows them.
    var deadline: Instant {
        if figures == told { return .never }
        return figures.isConnected == told.isConnected && figures.connects == told.connects
            ? opensAt : .zero
    }
}

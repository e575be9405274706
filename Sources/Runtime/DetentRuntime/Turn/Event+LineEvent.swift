import DetentCore
import DetentHAL

extension Event {
    /// Converts an event of a backend to an event of the engine.
    init(_ event: LineEvent) {
        switch event.kind {
        case .edge(let level, let sequence):
            self = .edge(event.line, level, sequence: sequence)
        case .reading(let level): self = .reading(event.line, level)
        case .sample(let sample): self = .sample(event.line, sample)
        case .written(let level): self = .outputWritten(event.line, level)
        case .overflow: self = .overflow(event.line)
        case .fault: self = .lineFault(event.line)
        case .restored: self = .lineRestored(event.line)
        }
    }
}

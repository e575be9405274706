import DetentTypes

@testable import DetentCore

/// Each request is answered once, in its own step, under its own number and for its own control;
/// what carries no number is not answered.
enum RequestLaw {
    /// What is wrong with the effects of one event; nil where the law holds.
    static func fault(of event: Event, _ effects: [Effect]) -> String? {
        var expected: (request: RequestID, control: ControlID)?
        switch event {
        case .intent(let control, _, _, let request), .change(let control, _, _, let request),
            .fire(let control, _, _, _, let request):
            if request != .none { expected = (request, control) }
        case .tick, .start, .edge, .reading, .sample, .overflow, .lineFault, .lineRestored,
            .actionStarted,
            .actionFinished, .outputWritten, .saved, .answered, .feedback, .feedbackLost,
            .resync, .lampTest, .reload, .broker, .close:
            break
        }
        var count = 0
        for case .answer(let request, let control, _) in effects {
            count += 1
            guard let expected else { return "an answer that nobody waits for" }
            if request != expected.request { return "the answer of another request" }
            if control != expected.control { return "an answer for another control" }
        }
        let wanted = expected == nil ? 0 : 1
        return count == wanted ? nil : "\(count) answers instead of \(wanted)"
    }

    /// The event with a number, where it is a request.
    static func numbered(_ event: Event, _ number: UInt32) -> Event {
        switch event {
        case .intent(let control, let value, let origin, _):
            .intent(control, value, origin, request: RequestID(number))
        case .change(let control, let distance, let origin, _):
            .change(control, by: distance, origin, request: RequestID(number))
        case .fire(let control, let value, let origin, let isConfirmed, _):
            .fire(control, value, origin, isConfirmed: isConfirmed, request: RequestID(number))
        case .tick, .start, .edge, .reading, .sample, .overflow, .lineFault, .lineRestored,
            .actionStarted,
            .actionFinished, .outputWritten, .saved, .answered, .feedback, .feedbackLost,
            .resync, .lampTest, .reload, .broker, .close:
            event
        }
    }
}

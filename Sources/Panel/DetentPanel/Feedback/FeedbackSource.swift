public import DetentTypes

/// What reports the value of a device without being asked.
public enum FeedbackSource: Equatable, Sendable {
    /// A program that runs as long as the panel; each line that it prints is a report.
    case program(arguments: [String])
    /// The debounced level of an input line: active is on. The core reads it.
    case line(LineID)
    /// A request to a web service, made again and again; each answer is a report. The fields are
    /// those of an `http` action.
    case request(fields: [ActionField], every: TimeSpan)
    /// Each message of a topic of the broker is a report.
    case topic(String)
    /// A control of another panel, through the broker.
    case control(String, panel: String)

    /// An argument, counted from 1, of messages of Open Sound Control that arrive at an address of
    /// this machine.
    case message(String, argument: Int, at: HostAndPort)

    /// Lines of a device nearby, over a wire of a kind. The fields are those of an action of that
    /// kind, and `every` and `listen`.
    case wire(String, fields: [ActionField])

    /// What it is called in messages, such as `the program mixer`.
    public var subject: String {
        switch self {
        case .program(let arguments): "the program \(arguments.first ?? "")"
        case .line: "the line"
        case .request(let fields, _): fields.text("get") ?? "the web service"
        case .topic(let topic): "the topic \(topic)"
        case .control(let control, let panel): "\(control) of the panel \(panel)"
        case .message(let address, _, _): "the message \(address)"
        case .wire(_, let fields):
            "the device "
                + (fields.text("to") ?? fields.text("device") ?? fields.text("listen") ?? "")
        }
    }
}

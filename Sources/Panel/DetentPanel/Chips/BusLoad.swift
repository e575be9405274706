import DetentHAL
import DetentTypes

/// The time that buses need to read the lines that are polled.
struct BusLoad {
    private struct Reading {
        var line: Int
        var device: String
        var model: ChipModel
        var poll: YAMLNode?

        /// The bus that all chips on it share: `i2c-1` of `1-0020`.
        var bus: String {
            ChipPlan(name: "", device: device).placeOnBus.map { "i2c-\($0.bus)" } ?? device
        }
    }

    private var readings: [Reading] = []

    /// Adds a polled line; `poll` is its key in the file.
    mutating func add(_ line: Int, on device: String, _ model: ChipModel, poll: YAMLNode?) {
        readings.append(Reading(line: line, device: device, model: model, poll: poll))
    }

    /// Lets lines without `poll` be read as often as their bus can, and warns of lines that the
    /// file wants to be read more often.
    func settle(_ lines: inout [LinePlan], _ log: ProblemLog) {
        for (bus, own) in Dictionary(grouping: readings, by: \.bus).sorted(by: { $0.key < $1.key })
        {
            let span = Self.time(of: own)
            for reading in own where reading.poll == nil {
                guard case .contact(var contact) = lines[reading.line].use else { continue }
                contact.polledEvery = max(Defaults.polling, span)
                lines[reading.line].use = .contact(contact)
            }
            let fast = own.filter { reading in
                reading.poll?.durationValue.map { $0 < span } ?? false
            }
            guard let first = fast.first, let poll = first.poll else { continue }
            let text = DurationText.text(span)
            log.warning(
                .pollTooFast, at: poll.place,
                "reading \(counted(own.count, "polled line")) of \(bus) takes about \(text)",
                help: "write `poll: \(text)` or more, or connect the interrupt output and name its "
                    + "line in `chips:` with `interrupt`")
        }
    }

    /// The time to read all of them once, in whole milliseconds.
    private static func time(of readings: [Reading]) -> TimeSpan {
        var whole: Set<String> = []
        var micros: UInt64 = 0
        for reading in readings {
            if reading.model.readsWhole, !whole.insert(reading.device).inserted { continue }
            micros += reading.model.readTime.nanoseconds / 1_000
        }
        return .milliseconds((micros + 999) / 1_000)
    }
}

extension Rule {
    static let pollTooFast = Rule(
        "poll-too-fast", .warning,
        "A bus needs its time for the lines that are polled. Lines that are to be read more often "
            + "are read late. A driver that reads line by line takes half a millisecond for each, "
            + "on I2C at 100 kHz.")
}

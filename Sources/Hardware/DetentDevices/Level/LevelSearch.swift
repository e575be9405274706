internal import DetentHAL
internal import DetentTypes

/// Finds and opens the outputs of lines. It may wait for a driver, so that a thread of its own does
/// it while the panel runs.
struct LevelSearch: Sendable {
    /// A line that has no output, and what it should be.
    struct Wanted: Sendable {
        var slot: Int
        var settings: LineSettings
        var level: Level
        var strength: Strength
    }

    /// An output that was opened.
    struct Found: Sendable {
        var wanted: Wanted
        var node: LevelNode

        /// What is written first.
        var value: UInt64 {
            node.value(wanted.level, wanted.strength, isActiveLow: wanted.settings.isActiveLow)
        }

        /// Makes it an output.
        func begin() throws(HALError) {
            let errno = node.begin(value)
            guard errno == 0 else {
                throw .levelRefused(wanted.settings, node.path, errno: errno)
            }
        }
    }

    /// What a search brought.
    struct Answer: Sendable {
        var found: [Found] = []
        var failures: [(slot: Int, error: HALError)] = []
    }

    let leds: String
    let pulses: String

    /// Opens the outputs, and writes their levels, one after the other: a channel of pulses that
    /// was only exported can keep its neighbours from their period.
    func connect(_ wanted: [Wanted]) -> Answer {
        var answer = Answer()
        guard !wanted.isEmpty else { return answer }
        let lamps = LEDInventory.scan(leds)
        let chips = PWMInventory.scan(pulses)
        chips.switchOff(wanted.map(\.settings))
        for line in wanted {
            guard let channel = line.settings.location.channel else { continue }
            do throws(HALError) {
                let node =
                    channel.kind == .pwm
                    ? try chips.node(of: line.settings, channel)
                    : try lamps.node(of: line.settings, channel)
                let found = Found(wanted: line, node: node)
                try found.begin()
                answer.found.append(found)
            } catch {
                answer.failures.append((line.slot, error))
            }
        }
        return answer
    }
}

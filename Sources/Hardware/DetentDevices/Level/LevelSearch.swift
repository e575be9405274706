internal import DetentHAL

/// Finds and opens the outputs of lines. It may wait for a driver, so that a thread of its own does
/// it while the panel runs.
struct LevelSearch: Sendable {
    /// A line that has no output.
    struct Wanted: Sendable {
        var slot: Int
        var settings: LineSettings
    }

    /// An output that was opened.
    struct Found: Sendable {
        var slot: Int
        var node: LevelNode
    }

    /// What a search brought.
    struct Answer: Sendable {
        var found: [Found] = []
        var failures: [(slot: Int, error: HALError)] = []
    }

    let leds: String

    func connect(_ wanted: [Wanted]) -> Answer {
        let inventory = LEDInventory.scan(leds)
        var answer = Answer()
        for line in wanted {
            guard let channel = line.settings.location.channel else { continue }
            do throws(HALError) {
                let node = try inventory.node(of: line.settings, channel)
                answer.found.append(Found(slot: line.slot, node: node))
            } catch {
                answer.failures.append((line.slot, error))
            }
        }
        return answer
    }
}

internal import DetentHAL
internal import Glibc

/// Finds and opens the channels of lines. It may wait for a driver, so that a thread of its own
/// does it while the panel runs.
struct AnalogSearch: Sendable {
    /// A line that has no converter.
    struct Wanted: Sendable {
        var slot: Int
        var settings: LineSettings
    }

    /// A channel that was opened.
    struct Found: Sendable {
        var slot: Int
        /// The folder of its converter.
        var node: String
        var file: ChannelFile
    }

    /// What a search brought.
    struct Answer: Sendable {
        var found: [Found] = []
        var failures: [(slot: Int, error: HALError)] = []
    }

    let folder: String

    func connect(_ wanted: [Wanted]) -> Answer {
        let inventory = AnalogInventory.scan(folder)
        var answer = Answer()
        for line in wanted {
            guard let channel = line.settings.location.channel else { continue }
            do throws(HALError) {
                let record = try inventory.record(of: line.settings, channel)
                let path = inventory.path(of: record, channel)
                let file = open(path, O_RDONLY | O_CLOEXEC)
                guard file >= 0 else {
                    throw HALError.converterRefused(line.settings, path, errno: errno)
                }
                answer.found.append(
                    Found(slot: line.slot, node: record.node, file: ChannelFile(file)))
            } catch {
                answer.failures.append((line.slot, error))
            }
        }
        return answer
    }
}

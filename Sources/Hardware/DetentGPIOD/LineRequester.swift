internal import CGPIOD
internal import DetentHAL
internal import DetentPlatform
internal import DetentTypes

/// Finds and requests lines: scan, resolve, group, request, read first levels.
///
/// It may wait and allocates. It runs at the start, and after that only on the worker thread.
struct LineRequester: Sendable {
    /// A line to request.
    struct Wanted: Sendable {
        /// The index of the line in the backend.
        var slot: Int
        var settings: LineSettings
        /// The initial level of an output.
        var initial: Level
    }

    /// A level read just after the request.
    struct FirstLevel: Sendable {
        var slot: Int
        /// 0 or 1, or a negative error number.
        var level: Int32
        var at: Instant
    }

    /// The result.
    struct Connection: Sendable {
        var groups: [LineGroup] = []
        var failures: [(slot: Int, error: HALError)] = []
        var levels: [FirstLevel] = []
        /// Lines whose chips have no resistor for them.
        var remarks: [PullRemark] = []
        /// The moment just after the requests; from then on outputs have their initial levels.
        var at = Instant.zero
    }

    /// A wanted line with its location.
    private struct Found {
        var wanted: Wanted
        var offset: UInt32
    }

    var paths: DevicePaths
    var consumer: String
    /// Told each line just before it is requested.
    var willRequest: (@Sendable (LinePlace) -> Void)?

    /// Tries to request all wanted lines.
    func connect(_ wanted: [Wanted]) -> Connection {
        let inventory = GPIODInventory.scan(paths)
        let resolver = ChipLineFinder(chips: inventory.chips)
        var connection = Connection()
        var found = [[Found]](repeating: [], count: inventory.chips.count)
        for line in wanted {
            do throws(HALError) {
                let place = try resolver.location(of: line.settings)
                if let other = found[place.chip].first(where: { $0.offset == place.offset }) {
                    throw HALError.usedTwice(
                        line.settings, by: other.wanted.settings.name,
                        chip: inventory.chips[place.chip])
                }
                found[place.chip].append(Found(wanted: line, offset: place.offset))
            } catch {
                connection.failures.append((line.slot, error))
            }
        }
        for (chip, lines) in zip(inventory.chips, found) where !lines.isEmpty {
            request(lines, of: chip, into: &connection)
        }
        connection.at = MonotonicClock.now
        readFirstLevels(wanted, into: &connection)
        return connection
    }

    private func request(
        _ lines: [Found], of record: ChipRecord, into connection: inout Connection
    ) {
        let chip: OpenChip
        do throws(SystemError) {
            chip = try OpenChip(path: record.path, sleeps: record.sleeps)
        } catch {
            for line in lines {
                connection.failures.append(
                    (
                        line.wanted.slot,
                        .refused(line.wanted.settings, errno: error.errno, chip: record, line: nil)
                    ))
            }
            return
        }
        for line in lines {
            willRequest?(
                LinePlace(line: line.wanted.settings.line, chip: record.path, offset: line.offset))
        }
        let groups = RequestPlan.groups(
            of: lines.map(\.wanted.settings), linesPerGroup: detent_gpio_lines_per_group())
        for group in groups {
            request(group.map { lines[$0] }, chip: chip, record: record, into: &connection)
        }
    }

    /// Requests a group. If that fails, requests each line separately, so that one bad line does
    /// not affect the others.
    private func request(
        _ lines: [Found], chip: OpenChip, record: ChipRecord, into connection: inout Connection
    ) {
        do throws(SystemError) {
            connection.groups.append(
                try LineGroup(
                    chip: chip, consumer: consumer, slots: lines.map(\.wanted.slot),
                    lines: lines.map {
                        $0.wanted.settings.request(offset: $0.offset, initial: $0.wanted.initial)
                    }))
            for line in lines {
                PullRemark.add(line.wanted.settings, on: record, to: &connection.remarks)
            }
        } catch {
            if lines.count > 1 {
                for line in lines {
                    request([line], chip: chip, record: record, into: &connection)
                }
            } else if let line = lines.first {
                let refusal = HALError.refused(
                    line.wanted.settings, errno: error.errno, chip: record,
                    line: chip.describe(line.offset))
                connection.failures.append((line.wanted.slot, refusal))
            }
        }
    }

    /// Reads inputs after the requests, not before, so that an edge in between waits in its queue.
    private func readFirstLevels(_ wanted: [Wanted], into connection: inout Connection) {
        let inputs = Set(wanted.filter { !$0.settings.isOutput }.map(\.slot))
        for group in connection.groups {
            for (place, slot) in group.slots.enumerated() where inputs.contains(slot) {
                let at = MonotonicClock.now
                connection.levels.append(
                    FirstLevel(slot: slot, level: group.level(at: place), at: at))
            }
        }
    }
}

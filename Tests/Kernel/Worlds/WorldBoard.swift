internal import DetentPanel
internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// The simulated chips of a panel, with a place for each of its lines.
final class WorldBoard {
    /// What the interrupts of the kernel that simulates chips suffice for.
    static let mostLines = 64

    private var chips: [SimChip] = []
    private var places: [(chip: Int, offset: Int)] = []
    private var watched: [(file: Int32, poller: Poller)] = []

    /// Creates the chips.
    init(_ plan: PanelPlan) throws {
        var names: [String: [Int: String]] = [:]
        var labels: [String] = []
        var found: [(label: String, offset: Int)] = []
        for line in plan.lines {
            let label = line.chipLabels.first ?? "worlds"
            if !labels.contains(label) { labels.append(label) }
            let offset = line.offset.map(Int.init) ?? (names[label]?.keys.max() ?? -1) + 1
            names[label, default: [:]][offset] = line.lineNames.first ?? ""
            found.append((label, offset))
        }
        for label in labels {
            let lines = names[label] ?? [:]
            chips.append(
                try SimChip(
                    name: label, lines: (0...(lines.keys.max() ?? 0)).map { lines[$0] ?? "" }))
        }
        places = found.map { it in (labels.firstIndex(of: it.label) ?? 0, it.offset) }
    }

    /// Calls a function whenever a program has requested a line, before the program goes on.
    func watchRequests(_ poller: Poller, _ requested: @escaping () -> Void) throws {
        for (place, chip) in chips.enumerated() {
            let file = open("/dev/\(chip.chipName)", O_RDWR | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { throw Failure("/dev/\(chip.chipName): errno \(errno)") }
            watched.append((file, poller))
            for it in places where it.chip == place {
                // struct gpio_v2_line_info: its offset follows two names of 32 bytes.
                var info = [UInt8](repeating: 0, count: 256)
                for byte in 0..<4 {
                    info[64 + byte] = UInt8(truncatingIfNeeded: it.offset >> (8 * byte))
                }
                // GPIO_V2_GET_LINEINFO_WATCH_IOCTL
                guard ioctl(file, 0xC100_B406, &info) == 0 else {
                    throw Failure("line \(it.offset) of \(chip.label): errno \(errno)")
                }
            }
            poller.watch(file) {
                if Descriptor.take(file) != nil { requested() }
            }
        }
    }

    /// Moves a line from outside.
    func pull(_ line: LineID, isHigh: Bool) {
        let place = places[Int(line.index)]
        chips[place.chip].pull(place.offset, high: isHigh)
    }

    /// Removes the chips.
    func remove() {
        for it in watched {
            it.poller.watch(it.file, nil)
            close(it.file)
        }
        watched = []
        for chip in chips { chip.remove() }
    }
}

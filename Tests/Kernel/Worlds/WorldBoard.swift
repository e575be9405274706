internal import DetentHAL
internal import DetentPanel
internal import DetentTypes
internal import DetentWorld
internal import Glibc
internal import KernelSupport

/// The simulated chips, input devices and converter of a panel, with a place for each of its lines.
final class WorldBoard {
    /// What the interrupts of the kernel that simulates chips suffice for.
    static let mostLines = 64

    private var chips: [SimChip] = []
    /// By line.
    private var places: [Place] = []
    private var channels = WorldChannels()
    private var watched: [(file: Int32, poller: Poller)] = []

    private enum Place: Equatable {
        case chip(Int, offset: Int)
        /// A channel of another device.
        case channel(DeviceChannel)
    }

    /// Creates the chips and devices.
    init(_ plan: PanelPlan) throws {
        var names: [String: [Int: String]] = [:]
        var labels: [String] = []
        var found: [(label: String, offset: Int)?] = []
        for line in plan.lines {
            guard line.channel == nil else {
                found.append(nil)
                continue
            }
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
        places = zip(plan.lines, found).map { line, it in
            if let channel = line.channel { return .channel(channel) }
            return .chip(labels.firstIndex(of: it?.label ?? "") ?? 0, offset: it?.offset ?? 0)
        }
        try channels.make(plan.lines.compactMap(\.channel))
    }

    /// Calls a function whenever a program has requested a line, before the program goes on.
    func watchRequests(_ poller: Poller, _ requested: @escaping () -> Void) throws {
        for (place, chip) in chips.enumerated() {
            let file = open("/dev/\(chip.chipName)", O_RDWR | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { throw Failure("/dev/\(chip.chipName): errno \(errno)") }
            watched.append((file, poller))
            for case .chip(place, let offset) in places {
                // struct gpio_v2_line_info: its offset follows two names of 32 bytes.
                var info = [UInt8](repeating: 0, count: 256)
                for byte in 0..<4 {
                    info[64 + byte] = UInt8(truncatingIfNeeded: offset >> (8 * byte))
                }
                // GPIO_V2_GET_LINEINFO_WATCH_IOCTL
                guard ioctl(file, 0xC100_B406, &info) == 0 else {
                    throw Failure("line \(offset) of \(chip.label): errno \(errno)")
                }
            }
            poller.watch(file) {
                if Descriptor.take(file) != nil { requested() }
            }
        }
    }

    /// Moves a line from outside.
    func pull(_ line: LineID, isHigh: Bool) {
        switch places[Int(line.index)] {
        case .chip(let chip, let offset): chips[chip].pull(offset, high: isHigh)
        case .channel(let channel): channels.move(channel, isOn: isHigh)
        }
    }

    /// Does what a part did.
    func follow(_ edge: PhysicalEdge) {
        if case .channel(let channel) = places[Int(edge.line.index)], let sample = edge.sample {
            return channels.turn(channel, to: sample)
        }
        pull(edge.line, isHigh: edge.isHigh)
    }

    /// Turns the parts of converters to where they stand.
    func turn(_ line: LineID, to sample: Int32) {
        guard case .channel(let channel) = places[Int(line.index)] else { return }
        channels.turn(channel, to: sample)
    }

    /// Removes the chips.
    func remove() {
        for it in watched {
            it.poller.watch(it.file, nil)
            close(it.file)
        }
        watched = []
        for chip in chips { chip.remove() }
        channels = WorldChannels()
    }
}

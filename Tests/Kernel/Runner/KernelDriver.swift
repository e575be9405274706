internal import DetentGPIOD
internal import DetentHAL
internal import DetentHALTesting
internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// The line driver of the contract, on a chip of gpio-sim.
final class KernelDriver: LineDriver {
    let chip: SimChip
    private let options: GPIODBackend.Options
    private var other: GPIODBackend?
    private var twin: SimChip?
    /// Read before the chip is removed.
    private let firstNumber: Int?

    /// Ten lines are enough for the contract.
    init(isSlow: Bool) throws {
        chip = try SimChip(name: "detent-panel", lines: (0..<10).map { "LINE\($0)" })
        var options = GPIODBackend.Options()
        options.treatsAllChipsAsSlow = isSlow
        self.options = options
        firstNumber =
            ValueTrace.start() ? ValueTrace.firstNumber(ofChip: chip.chipName) : nil
    }

    var locations: [LineLocation] {
        chip.lineNames.indices.map {
            LineLocation(
                lineNames: [chip.lineNames[$0]], chipLabels: [chip.label], offset: nil)
        }
    }

    var countsEdges: Bool { GPIODInventory.interface == 2 }
    var hasBias: Bool { true }
    /// A tick of the rig's kernel, and time for a busy host.
    var stampTolerance: TimeSpan { .milliseconds(20) }

    var now: Instant { Self.monotonic }

    /// The clock of the kernel's timestamps.
    static var monotonic: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    func makeBackend() -> any GPIOBackend { GPIODBackend(options: options) }

    func set(line: Int, high: Bool) {
        if chip.isPlugged { chip.pull(line, high: high) }
    }

    func isHigh(line: Int) -> Bool { chip.isHigh(line) }

    func wasHighWhenReleased(line: Int) -> Bool? {
        firstNumber.flatMap { ValueTrace.lastLevel(offset: line, firstNumber: $0) }
    }

    func wait(for backend: any GPIOBackend, until moment: Instant) {
        Self.wait(for: backend, until: min(moment, backend.deadline), now: now)
    }

    /// Waits until a descriptor is readable, and marks those that are.
    static func wait(for backend: any GPIOBackend, until moment: Instant, now: Instant) {
        let span = moment - now
        // Rounded up, so that the moment has passed afterwards.
        let milliseconds = Int32(clamping: (span.nanoseconds + 999_999) / 1_000_000)
        var table = backend.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&table, nfds_t(table.count), milliseconds) > 0 else { return }
        for index in table.indices where table[index].revents != 0 { backend.markReady(index) }
    }

    func hold(line: Int) -> String? {
        var options = GPIODBackend.Options()
        options.consumer = "other-program"
        let other = GPIODBackend(options: options)
        let settings = LineSettings(
            line: LineID(0), name: "held", location: locations[line], isActiveLow: false,
            direction: .input(
                bias: .asIs, edges: .polled(every: .seconds(3600)), kernelDebounce: nil))
        guard other.open([settings]).isEmpty else { return nil }
        self.other = other
        return options.consumer
    }

    func release(line: Int) {
        other?.close()
        other = nil
    }

    func addTwin() -> [String]? {
        twin = try? SimChip(
            name: "detent-twin", label: chip.label, lines: chip.lineNames.map { _ in "" })
        return twin.map { [chip.deviceName, $0.deviceName] }
    }

    func removeTwin() {
        twin?.remove()
        twin = nil
    }

    func unplug() -> Bool {
        (try? chip.unplug()) != nil
    }

    func plug() {
        do { try chip.plug() } catch { print("# the chip cannot be plugged in: \(error)") }
    }
}

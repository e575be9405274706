internal import DetentDevices
internal import DetentGPIOD
internal import DetentHAL
internal import DetentHALTesting
internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// The line driver of the contract, on keys of an input device of uinput, joined with GPIO chips.
final class InputDriver: LineDriver {
    /// BTN_BASE to BTN_BASE6 and what follows: any ten keys.
    private static let keys = (0..<10).map { UInt16(0x126 + $0) }
    private static let name = "detent contract"
    private var device: UserInput?
    private var twin: UserInput?

    init() throws { try makeDevice() }

    private func makeDevice() throws {
        device = try UserInput(Self.name, place: "detent/input0", keys: Self.keys)
        for _ in 0..<1000 where device?.node.map({ access($0, R_OK) }) != 0 { usleep(1_000) }
    }

    var locations: [LineLocation] {
        Self.keys.map { key in
            var location = LineLocation()
            location.channel = DeviceChannel(
                kind: .inputKey, device: Self.name, name: "KEY\(key)", number: UInt32(key))
            return location
        }
    }

    var hasOutputs: Bool { false }
    var sharesQueue: Bool { true }
    var countsEdges: Bool { false }
    var hasBias: Bool { false }
    var stampTolerance: TimeSpan { .milliseconds(20) }
    var now: Instant { KernelDriver.monotonic }

    func makeBackend() -> any GPIOBackend {
        JoinedBackend([
            JoinedBackend.Member(InputBackend()) { InputBackend.takes($0) },
            JoinedBackend.Member(GPIODBackend()) { _ in true },
        ])
    }

    func set(line: Int, high: Bool) { device?.set(key: Self.keys[line], isPressed: high) }

    func isHigh(line: Int) -> Bool { false }

    func wasHighWhenReleased(line: Int) -> Bool? { nil }

    func wait(for backend: any GPIOBackend, until moment: Instant) {
        KernelDriver.wait(for: backend, until: min(moment, backend.deadline), now: now)
    }

    func hold(line: Int) -> String? { nil }

    func release(line: Int) {}

    func unplug() -> Bool {
        device = nil
        return true
    }

    func plug() { try? makeDevice() }
}

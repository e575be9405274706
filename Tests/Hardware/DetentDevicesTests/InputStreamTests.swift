import DetentHAL
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentDevices

/// An input device whose events a test writes: a pipe in place of the kernel's queue.
private final class FakeInput {
    let backend = InputBackend()
    private let writing: Int32
    private let reading: Int32

    /// A device whose keys and axes are the lines 0, 1 and so on.
    init(_ channels: [(DeviceChannel.Kind, UInt32, UInt8)], isActiveLow: Bool = false) {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        reading = ends[0]
        writing = ends[1]
        let device = OpenInput(path: "/dev/input/event7", file: reading, isExclusive: true)
        backend.slots = channels.enumerated().map { place, channel in
            var location = LineLocation()
            location.channel = DeviceChannel(
                kind: channel.0, device: "box", name: "\(channel.1)", number: channel.1,
                part: channel.2)
            let settings = LineSettings(
                line: LineID(UInt16(place)), name: "\(place)", location: location,
                isActiveLow: isActiveLow,
                direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil))
            return InputBackend.Slot(settings: settings, device: device)
        }
        backend.streams = [InputBackend.Stream(device: device)]
        backend.listDescriptors()
    }

    deinit { Glibc.close(writing) }

    /// Writes events as the kernel does, with the type, the code and the value of each.
    func write(_ events: [(type: UInt16, code: UInt16, value: Int32)], at millisecond: UInt64) {
        for event in events {
            var bytes: [UInt8] = []
            for word in [millisecond / 1_000, millisecond % 1_000 * 1_000] {
                withUnsafeBytes(of: word) { bytes += $0 }
            }
            withUnsafeBytes(of: event.type) { bytes += $0 }
            withUnsafeBytes(of: event.code) { bytes += $0 }
            withUnsafeBytes(of: event.value) { bytes += $0 }
            precondition(Glibc.write(writing, bytes, bytes.count) == bytes.count)
        }
    }

    /// From now on, reading fails, as it does when the device is unplugged.
    func unplug() {
        let folder = open("/", O_RDONLY)
        dup2(folder, reading)
        Glibc.close(folder)
    }

    /// What the backend tells, in words: the line and what happened.
    func told() -> [String] {
        let buffer = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: 1_024)
        defer { buffer.deallocate() }
        return buffer.prefix(backend.drain(into: buffer, now: .zero)).map { event in
            switch event.kind {
            case .edge(let level, _): "\(event.line.index) \(level)"
            case .overflow: "\(event.line.index) overflow"
            case .fault(let errno): "\(event.line.index) fault \(errno)"
            default: "\(event.line.index) \(event.kind)"
            }
        }
    }
}

/// The stream of events of an input device.
@Suite struct InputStreamTests {
    private static let report = (type: UInt16(0), code: UInt16(0), value: Int32(0))
    private static let dropped = (type: UInt16(0), code: UInt16(3), value: Int32(0))

    private static func key(_ code: UInt16, _ value: Int32) -> (UInt16, UInt16, Int32) {
        (1, code, value)
    }

    private static func axis(_ code: UInt16, _ steps: Int32) -> (UInt16, UInt16, Int32) {
        (2, code, steps)
    }

    private static let keys: [(DeviceChannel.Kind, UInt32, UInt8)] = [
        (.inputKey, 30, 0), (.inputKey, 48, 0),
    ]

    @Test func aKeyIsAContactAndItsRepetitionsAreNone() {
        let device = FakeInput(Self.keys)
        device.write(
            [Self.key(30, 1), Self.report, Self.key(30, 2), Self.report, Self.key(46, 1)], at: 5)
        device.write([Self.report, Self.key(30, 0), Self.key(48, 1), Self.report], at: 6)
        expectEqual(device.told(), ["0 active", "0 inactive", "1 active"])
        expectEqual(device.told(), [])
    }

    @Test func anActiveLowKeyIsTheOpposite() {
        let device = FakeInput(Self.keys, isActiveLow: true)
        device.backend.slots[0].level = .active
        device.write([Self.key(30, 1), Self.report], at: 5)
        expectEqual(device.told(), ["0 inactive"])
    }

    /// The kernel's queue was full: each line of the device may have lost edges.
    @Test func aFullQueueIsALossOfEachLine() {
        let told = Self.afterALoss().filter { $0.hasSuffix("overflow") }
        expectEqual(told, ["0 overflow", "1 overflow"])
    }

    /// What came with the loss is older than it: the next report ends it.
    @Test func whatCameWithALossCountsForNothing() {
        let told = Self.afterALoss().filter { !$0.hasSuffix("overflow") }
        expectEqual(told, ["0 active", "0 inactive"])
    }

    private static func afterALoss() -> [String] {
        let device = FakeInput(Self.keys)
        device.write([key(30, 1), report, dropped, key(48, 1)], at: 5)
        let told = device.told()
        device.write([key(48, 1), report, key(30, 0), report], at: 6)
        return told + device.told()
    }

    @Test func aStepIsOneEdgeOfEachContactInTheOrderOfItsWay() {
        let device = FakeInput([(.inputAxis, 7, 0), (.inputAxis, 7, 1)])
        device.write([Self.axis(7, 1), Self.report, Self.axis(8, 1), Self.report], at: 5)
        expectEqual(device.told(), ["0 active", "1 active"])
        device.write([Self.axis(7, -2), Self.report], at: 6)
        expectEqual(device.told(), ["1 inactive", "0 inactive", "1 active", "0 active"])
    }

    /// A hand does not make so many steps in one event: what is beyond the bound is told as lost.
    @Test func moreStepsThanTheBoundAreALoss() {
        let device = FakeInput([(.inputAxis, 7, 0), (.inputAxis, 7, 1)])
        device.write([Self.axis(7, 65), Self.report], at: 5)
        let told = device.told()
        expectEqual(told.count, 2 * 64 + 1)
        expectEqual(told.last, "0 overflow")
        device.write([Self.axis(7, 64), Self.report], at: 6)
        #expect(!device.told().contains("0 overflow"))
    }

    @Test func anUnpluggedDeviceIsAFaultOfEachLine() {
        let device = FakeInput(Self.keys)
        device.write([Self.key(30, 1), Self.report], at: 5)
        expectEqual(device.told(), ["0 active"])
        device.unplug()
        expectEqual(device.told(), ["0 fault \(ENODEV)", "1 fault \(ENODEV)"])
        expectEqual(device.told(), [])
        #expect(device.backend.read(LineID(0), now: .zero) == nil)
        // It is searched for again.
        #expect(device.backend.deadline != .never)
    }

    /// A device that other programs share is no device that this panel has alone.
    @Test func aSharedDeviceIsOpenedAgainWhereALineWantsItAlone() throws {
        let root = "/tmp/detent-shared-input-\(getpid())"
        for folder in ["", "/class", "/class/event1", "/class/event1/device", "/dev"] {
            mkdir(root + folder, 0o700)
        }
        mkdir("\(root)/class/event1/device/capabilities", 0o700)
        defer { system("rm -r \(root)") }
        for (name, text) in [
            ("class/event1/device/name", "box\n"), ("dev/event1", ""),
            ("class/event1/device/capabilities/key", "40000000\n"),
        ] {
            let file = try #require(fopen("\(root)/\(name)", "w"))
            fputs(text, file)
            fclose(file)
        }
        var folders = InputFolders()
        folders.classes = "\(root)/class"
        folders.devices = "\(root)/dev"
        let shared = OpenInput(path: "\(root)/dev/event1", file: dup(0), isExclusive: false)
        func errors(alone: Bool) -> [String] {
            var location = LineLocation()
            location.channel = DeviceChannel(
                kind: .inputKey, device: "box", name: "KEY_A", number: 30, isExclusive: alone)
            let settings = LineSettings(
                line: LineID(0), name: "x", location: location, isActiveLow: false,
                direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil))
            return InputSearch(folders: folders).connect(
                [InputSearch.Wanted(slot: 0, settings: settings)], present: [shared]
            ).failures.map { $0.error.cause }
        }
        // No device of this test answers; the error tells which one was asked.
        let asked = errors(alone: false)
        let opened = errors(alone: true)
        expectEqual([asked.count, opened.count], [1, 1])
        #expect(asked != opened, "\(asked)")
    }
}

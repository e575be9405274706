import DetentHAL
import DetentTypes
import Glibc
import Synchronization

@testable import DetentDevices

/// Lamps of the LED class in a folder of their own, as the kernel shows them.
final class FakeLamps {
    let root: String

    /// - Parameter name: tells the folders of tests apart.
    init(_ name: String) {
        root = "/tmp/detent-leds-\(getpid())-\(name)"
        mkdir(root, 0o700)
    }

    deinit { system("rm -r \(root)") }

    func add(_ name: String, full: Int = 255, trigger: String? = nil) {
        let folder = "\(root)/\(name)"
        mkdir(folder, 0o700)
        write("max_brightness", of: name, "\(full)")
        write("brightness", of: name, "")
        if let trigger { write("trigger", of: name, trigger) }
    }

    /// What was written since the last call; the kernel takes each text as a whole.
    func take(_ file: String = "brightness", of name: String) -> String {
        defer { write(file, of: name, "") }
        var bytes = [UInt8](repeating: 0, count: 256)
        let file = open("\(root)/\(name)/\(file)", O_RDONLY)
        let count = read(file, &bytes, bytes.count)
        close(file)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    func write(_ file: String, of name: String, _ text: String) {
        let file = open("\(root)/\(name)/\(file)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = Glibc.write(file, text, text.utf8.count)
        close(file)
    }
}

/// Chips of pulses in a folder of their own. Their channels are exported already.
final class FakePulses: Sendable {
    let root: String
    private let stuck = Mutex<String?>(nil)

    init(_ name: String) {
        root = "/tmp/detent-pwm-\(getpid())-\(name)"
        mkdir(root, 0o700)
    }

    deinit { system("rm -r \(root)") }

    /// Writes to this chip wait; nil: to none.
    func stick(_ node: String?) { stuck.withLock { $0 = node } }

    var writing: LevelWriter.Write {
        { [self] node, value in
            while let chip = stuck.withLock({ $0 }), node.path.contains("/\(chip)/") {
                sched_yield()
            }
            return node.write(value)
        }
    }

    /// Adds a chip at a place.
    func add(_ node: String, name: String = "pca9685", place: String, channels: Int = 2) {
        let device = "\(root)/\(place)"
        let chip = "\(root)/\(node)"
        for folder in [device, chip] { mkdir(folder, 0o700) }
        symlink(device, "\(chip)/device")
        write("\(device)/name", name + "\n")
        write("\(chip)/npwm", "\(channels)\n")
        write("\(chip)/export", "")
        for channel in 0..<channels {
            let output = "\(chip)/pwm\(channel)"
            mkdir(output, 0o700)
            for file in ["period", "duty_cycle", "enable"] { write("\(output)/\(file)", "") }
        }
    }

    /// What was written since the last call.
    func take(_ file: String) -> String {
        defer { write("\(root)/\(file)", "") }
        var bytes = [UInt8](repeating: 0, count: 256)
        let file = open("\(root)/\(file)", O_RDONLY)
        let count = read(file, &bytes, bytes.count)
        close(file)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    private func write(_ path: String, _ text: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = Glibc.write(file, text, text.utf8.count)
        close(file)
    }

    static func line(_ index: UInt16, _ chip: String, _ channel: UInt32) -> LineSettings {
        var location = LineLocation()
        location.channel = DeviceChannel(
            kind: .pwm, device: chip, name: "\(channel)", number: channel)
        location.channel?.period = .milliseconds(1)
        return LineSettings(
            line: LineID(index), name: "\(chip):\(channel)", location: location,
            isActiveLow: false, direction: .output(initial: .inactive, onRelease: .inactive))
    }
}

/// A backend with fake lamps.
final class LevelBench {
    let backend: LevelBackend
    private(set) var events: [LineEvent.Kind] = []

    init(
        _ lamps: FakeLamps? = nil, _ pulses: FakePulses? = nil,
        longestWrite: TimeSpan = .seconds(10)
    ) {
        var options = LevelBackend.Options()
        options.leds = lamps?.root ?? "/nowhere"
        options.pulses = pulses?.root ?? "/nowhere"
        options.longestWrite = longestWrite
        if let pulses { options.write = pulses.writing }
        options.retryPeriod = .milliseconds(5)
        backend = LevelBackend(options: options)
    }

    deinit { backend.close() }

    static func line(
        _ index: UInt16, _ name: String, isActiveLow: Bool = false, isLamp: Bool = true,
        initial: Level = .inactive, release: Level? = .inactive
    ) -> LineSettings {
        var location = LineLocation()
        location.channel = DeviceChannel(kind: .led, device: name, name: "", number: 0)
        location.channel?.isLamp = isLamp
        return LineSettings(
            line: LineID(index), name: "led:\(name)", location: location,
            isActiveLow: isActiveLow, direction: .output(initial: initial, onRelease: release))
    }

    func drain() {
        withUnsafeTemporaryAllocation(of: LineEvent.self, capacity: 64) { buffer in
            let count = backend.drain(into: buffer, now: AnalogBench.now)
            events += buffer.prefix(count).map(\.kind)
        }
    }

    /// Drains until an event came; false after ten seconds.
    func waits(for wanted: LineEvent.Kind) -> Bool {
        let end = AnalogBench.now + .seconds(10)
        while AnalogBench.now < end {
            drain()
            if events.contains(wanted) { return true }
            var list = backend.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&list, nfds_t(list.count), 5)
        }
        return false
    }
}

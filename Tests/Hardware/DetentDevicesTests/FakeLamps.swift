import DetentHAL
import DetentTypes
import Glibc

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

/// A backend with fake lamps.
final class LevelBench {
    let backend: LevelBackend
    private(set) var events: [LineEvent.Kind] = []

    init(_ lamps: FakeLamps) {
        var options = LevelBackend.Options()
        options.leds = lamps.root
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

import DetentHAL
import DetentTypes
import Glibc
import Synchronization

@testable import DetentDevices

/// Converters in a folder of their own, as the kernel shows them.
final class FakeConverters: Sendable {
    private struct State {
        var gone: Int32?
        /// How many readings fail with it; nil for all.
        var left: Int?
        var isStuck = false
    }

    let root: String
    private let state = Mutex(State())

    /// - Parameter name: tells the folders of tests apart.
    init(_ name: String) {
        root = "/tmp/detent-iio-\(getpid())-\(name)"
        mkdir(root, 0o700)
    }

    deinit { system("rm -r \(root)") }

    /// Adds a converter at a place, or changes the samples of its channels.
    func set(_ node: String, name: String = "ads1015", place: String, _ samples: [Int]) {
        let device = "\(root)/\(place)/\(node)"
        for folder in ["\(root)/\(place)", device] { mkdir(folder, 0o700) }
        symlink(device, "\(root)/\(node)")
        write("\(device)/name", name)
        write("\(device)/in_voltage0-voltage1_raw", "7")
        for (channel, sample) in samples.enumerated() {
            write("\(device)/in_voltage\(channel)_raw", "\(sample)")
        }
    }

    func remove(_ node: String) { unlink("\(root)/\(node)") }

    /// Readings fail with this error, all or so many of them, or work again.
    func fail(_ errno: Int32?, times: Int? = nil) {
        state.withLock { ($0.gone, $0.left) = (errno, times) }
    }

    /// Readings wait, or go on.
    func stick(_ isStuck: Bool) { state.withLock { $0.isStuck = isStuck } }

    var read: AnalogSampler.Read {
        { [self] file in
            while state.withLock({ $0.isStuck }) { sched_yield() }
            if let errno = state.withLock({ Self.failure(&$0) }) { return .failed(errno: errno) }
            return AnalogSampler.readFile(file)
        }
    }

    private static func failure(_ state: inout State) -> Int32? {
        guard let errno = state.gone else { return nil }
        state.left = state.left.map { $0 - 1 }
        if state.left == 0 { state.gone = nil }
        return errno
    }

    /// In place: a converter has the same file all the time.
    private func write(_ path: String, _ text: String) {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        // The kernel pads nothing, but a shorter text must not leave digits of a longer one.
        let line = text + String(repeating: "\n", count: max(1, 8 - text.utf8.count))
        _ = line.withCString { pwrite(file, $0, strlen($0), 0) }
        close(file)
    }
}

/// A backend with the channels of fake converters.
final class AnalogBench {
    let backend: AnalogBackend
    private(set) var events: [LineEvent] = []

    init(_ converters: FakeConverters) {
        var options = AnalogBackend.Options()
        options.folder = converters.root
        options.period = .milliseconds(1)
        options.retryPeriod = .milliseconds(5)
        options.longestReading = .milliseconds(20)
        options.firstSamples = .milliseconds(200)
        options.read = converters.read
        backend = AnalogBackend(options: options)
    }

    deinit { backend.close() }

    static func line(_ index: UInt16, _ device: String, _ channel: UInt32) -> LineSettings {
        var location = LineLocation()
        location.channel = DeviceChannel(
            kind: .analog, device: device, name: String(channel), number: channel)
        return LineSettings(
            line: LineID(index), name: "\(device):\(channel)", location: location,
            isActiveLow: false,
            direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil))
    }

    func drain() {
        withUnsafeTemporaryAllocation(of: LineEvent.self, capacity: 64) { buffer in
            let count = backend.drain(into: buffer, now: Self.now)
            events += buffer.prefix(count)
        }
    }

    /// The words of all events so far.
    var words: [String] {
        events.map { event in
            switch event.kind {
            case .sample(let sample): "\(event.line.index) \(sample)"
            case .fault(let errno): "\(event.line.index) fault \(errno)"
            case .restored: "\(event.line.index) restored"
            case .edge, .reading, .written, .overflow: "\(event.line.index) ?"
            }
        }
    }

    /// Drains until these words came, in any order; false after ten seconds.
    func waits(for wanted: String...) -> Bool {
        let end = Self.now + .seconds(10)
        while Self.now < end {
            drain()
            if wanted.allSatisfy(words.contains) { return true }
            var list = backend.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&list, nfds_t(list.count), 5)
        }
        return false
    }

    func forget() { events = [] }

    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }
}

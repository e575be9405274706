import DetentPanel
import Glibc
import Synchronization

/// What Linux says of one process: its memory, the processor time that it has used, and its start.
struct ProcessFigures: Equatable {
    /// Bytes of it in memory.
    var residentBytes: UInt64
    /// Processor time in seconds, as Prometheus prints it.
    var processorSeconds: String
    /// When it started, in milliseconds after the start of the machine.
    var startedAfter: Int64

    /// Reads the text of `/proc/PID/stat`; nil if it is something else.
    ///
    /// - Parameters:
    ///   - ticks: the kernel's ticks per second, in which it counts time.
    ///   - pageBytes: the bytes of a page, in which it counts memory.
    init?(_ text: String, ticks: Int64, pageBytes: UInt64) {
        // 81 (a name) with) S 80 …: the name may contain anything.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ").dropFirst()
        // Field 3 of the manual, the state, is the first one here.
        func number(_ field: Int) -> Int64? {
            let place = fields.startIndex + field - 3
            return fields.indices.contains(place) ? Int64(fields[place]) : nil
        }
        guard ticks > 0, let user = number(14), let system = number(15), let start = number(22),
            let pages = number(24), user >= 0, system >= 0, pages >= 0
        else { return nil }
        residentBytes = UInt64(pages) &* pageBytes
        processorSeconds = DecimalNumber.text(
            units: (user &+ system) &* 100 / ticks, decimals: 2)
        startedAfter = start &* 1_000 / ticks
    }
}

/// Reads the figures of one process again and again.
///
/// It opens a file once, and keeps it: a process that may open nothing later can still read it.
/// Safe from any thread.
final class ProcessProbe: Sendable {
    /// What the process is called in figures.
    let name: String
    private let file: Int32
    private let started = Mutex<Int64?>(nil)

    /// Opens the figures of a process; nil if they cannot be read.
    init?(_ process: pid_t, named name: String) {
        self.name = name
        file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        if file < 0 { return nil }
    }

    /// Takes over a descriptor of the figures of a process.
    init(inherited file: Int32, named name: String) {
        self.name = name
        self.file = file
    }

    deinit { if file >= 0 { close(file) } }

    /// The figures now; nil once the process has ended.
    func read() -> ProcessFigures? {
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return ProcessFigures(
            String(decoding: bytes[..<count], as: UTF8.self),
            ticks: Int64(sysconf(Int32(_SC_CLK_TCK))),
            pageBytes: UInt64(clamping: sysconf(Int32(_SC_PAGESIZE))))
    }

    /// When it started, in seconds since 1970, as Prometheus prints it.
    ///
    /// The machine may have no clock of its own, and learn the time later: the start then follows.
    func startSeconds(_ figures: ProcessFigures) -> String {
        let sinceBoot = Self.milliseconds(CLOCK_BOOTTIME)
        let start = Self.milliseconds(CLOCK_REALTIME) - (sinceBoot - figures.startedAfter)
        let shown = started.withLock { started in
            // Two readings differ by some microseconds; a start that changed would mean a restart.
            if abs(start - (started ?? .min / 2)) > 2_000 { started = start }
            return started ?? start
        }
        return DecimalNumber.text(units: shown, decimals: 3)
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

import CPlatform
public import DetentTypes
import Glibc

/// Tells systemd about the state of the service: one datagram for each message, which never waits.
///
/// Without `NOTIFY_SOCKET` there is none to tell. Programs that are started later do not inherit
/// the variables, so they cannot speak for the service.
public final class ServiceNotifier: Sendable {
    private let descriptor: Int32
    /// Half of the time after which systemd restarts a silent service; nil without a watchdog.
    public let watchdogPeriod: TimeSpan?

    /// Takes the address from the environment and removes it there; nil if there is none.
    ///
    /// Call it before other threads start.
    ///
    /// - Parameter first: the process that systemd knows as the service.
    public static func fromEnvironment(first: Int32) -> ServiceNotifier? {
        func pop(_ name: String) -> String? {
            defer { unsetenv(name) }
            return getenv(name).map { String(cString: $0) }
        }
        let address = pop("NOTIFY_SOCKET")
        let time = pop("WATCHDOG_USEC").flatMap { UInt64($0) }
        let process = pop("WATCHDOG_PID").flatMap { Int32($0) }
        guard let address else { return nil }
        let isOurs = process == nil || process == first || process == getpid()
        return ServiceNotifier(address, watchdogMicroseconds: isOurs ? time : nil)
    }

    /// Connects to an address of systemd's form; nil if that is impossible.
    public init?(_ address: String, watchdogMicroseconds: UInt64?) {
        descriptor = detent_datagram_open(address)
        // 1 ms: below that no loop could keep up.
        watchdogPeriod = watchdogMicroseconds.flatMap { time in
            time < 2_000 ? nil : TimeSpan(nanoseconds: min(time, 1 << 50) / 2 * 1_000)
        }
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The panel runs; `status` is what `systemctl status` shows.
    public func ready(_ status: String) { send("READY=1\nSTATUS=\(Self.line(status))") }

    /// A reload begins; `ready` ends it.
    public func reloading(at now: Instant) {
        send("RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1_000)\nSTATUS=reloading")
    }

    /// The panel ends.
    public func stopping() { send("STOPPING=1") }

    /// The loop is alive.
    public func alive() { send("WATCHDOG=1") }

    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }

    private func send(_ text: String) {
        _ = text.withCString { detent_datagram_send(descriptor, $0, strlen($0)) }
    }
}

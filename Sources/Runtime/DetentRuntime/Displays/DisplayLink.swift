import DetentActions
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc

/// The connection to one display: opens it, writes what changed, and begins again after a fault.
///
/// It never waits. A text that was begun is written to its end, so that no command is torn; of the
/// texts that come meanwhile, only the newest is written. Synchronization: none; one thread.
struct DisplayLink {
    /// What the display reads.
    private enum Form {
        case characters(CharacterScreen)
        case dots(DotScreen)
        case lines(FedProgram)
        /// A message, which every write replaces.
        case message
    }

    private struct Connection {
        var form: Form
        var descriptor: Int32
        /// The rows that it has, or that `rest` gives it; nil at first.
        var shown: [String]?
        /// What was not taken yet.
        var rest: ArraySlice<UInt8>
        /// Writes in a row that took nothing.
        var refusals = 0
        var openedAt: Instant
    }

    private enum State {
        case closed
        case open(Connection)
    }

    /// What the log says of the display.
    private enum Told {
        case nothing
        case fault(DisplayFault)
        /// It was said that the display works again after this fault.
        case recovery(DisplayFault)
    }

    /// What to wait for before the next `show`, if the rows stay the same.
    enum Wait: Equatable {
        /// Until the display is gone.
        case end
        /// Until it takes more.
        case room
        /// Until a moment, because the kernel cannot say when.
        case until(Instant)
    }

    private let display: DisplayPlan
    private let guardian: Guardian?
    private let log: @Sendable (String) -> Void
    private let describe: @Sendable (Int32) -> Framebuffer?
    private var state = State.closed
    private var retryAt = Instant.zero
    /// How long it waits after the next fault.
    private var pause = RuntimeLimits.displayFirstPause
    private var told = Told.nothing
    /// What its program prints on standard error; nil while none runs.
    private var errors: ErrorLines?

    /// Opens nothing yet.
    ///
    /// - Parameter describe: asks what a screen of dots is like.
    init(
        _ display: DisplayPlan, guardian: Guardian?, log: @escaping @Sendable (String) -> Void,
        describe: @escaping @Sendable (Int32) -> Framebuffer?
    ) {
        self.display = display
        self.guardian = guardian
        self.log = log
        self.describe = describe
    }

    /// The descriptor that `Wait.end` and `Wait.room` are about; -1 while it is closed, and for a
    /// file of the kernel, which always seems to have an error to a process that waits for it.
    var descriptor: Int32 {
        guard case .open(let connection) = state else { return -1 }
        if case .message = connection.form { return -1 }
        return connection.descriptor
    }

    /// The standard error of its program, if there is one to wait for; else -1.
    func errorDescriptor(at now: Instant) -> Int32 { errors?.descriptor(at: now) ?? -1 }

    /// When `show` or `readErrors` is needed after `now`, although nothing else happens.
    func careAt(after now: Instant) -> Instant {
        min(errors?.deadline ?? .never, recoversAt > now ? recoversAt : .never)
    }

    /// Tells what its program has printed on standard error.
    ///
    /// - Parameter isReady: whether something may have come.
    mutating func readErrors(
        into buffer: UnsafeMutableRawBufferPointer, isReady: Bool, at now: Instant
    ) {
        guard isReady || (errors?.deadline ?? .never) <= now else { return }
        if let lines = errors?.read(into: buffer, at: now) { warn(lines) }
    }

    private func warn(_ lines: [String]) {
        for line in lines {
            log("detent: display \(display.name): stderr: \(PrintableText.text(line))\n")
        }
    }

    /// Brings the display to these rows, as far as it takes them now.
    mutating func show(_ rows: [String], at now: Instant) -> Wait {
        if now < retryAt { return .until(retryAt) }
        do throws(DisplayFault) {
            var connection = try open(at: now)
            if case .closed = state, case .lines(let program) = connection.form {
                errors = program.errors
            }
            state = .open(connection)
            while true {
                if connection.rest.isEmpty {
                    guard connection.shown != rows else { break }
                    connection.rest = bytes(rows, connection)[...]
                    connection.shown = rows
                }
                guard try write(&connection) else { return hold(connection, at: now) }
            }
            state = .open(connection)
            recover(at: now)
            return .end
        } catch {
            return fail(error, at: now)
        }
    }

    /// The display hung up: a reader has gone, or a program has ended.
    mutating func hangUp(at now: Instant) {
        guard case .open = state else { return }
        _ = fail(DisplayLink.ended(display), at: now)
    }

    private static func ended(_ display: DisplayPlan) -> DisplayFault {
        DisplayFault(
            "`\(display.device.subject)` has stopped reading",
            remedy: "look for the reason in the messages of the program that reads")
    }

    /// Closes the display; call once, at the end.
    mutating func end() {
        disconnect(within: RuntimeLimits.displayGrace)
    }

    private mutating func disconnect(within span: TimeSpan) {
        guard case .open(let connection) = state else { return }
        state = .closed
        if case .lines(let program) = connection.form {
            program.end(within: span)
            if let lines = errors?.end(at: MonotonicClock.now) { warn(lines) }
            errors = nil
        } else {
            close(connection.descriptor)
        }
    }

    // MARK: Opening

    private func open(at now: Instant) throws(DisplayFault) -> Connection {
        switch state {
        case .open(let connection): return connection
        case .closed: return try connect(at: now)
        }
    }

    private func connect(at now: Instant) throws(DisplayFault) -> Connection {
        switch display.device {
        case .charlcd(let path):
            let descriptor = try Self.open(path, display.device)
            return Connection(
                form: .characters(CharacterScreen(columns: display.columns)),
                descriptor: descriptor, rest: CharacterScreen.opening[...], openedAt: now)
        case .framebuffer(let path):
            let descriptor = try Self.open(path, display.device)
            do throws(DisplayFault) {
                let screen = try Self.screen(descriptor, display, describe)
                return Connection(
                    form: .dots(screen), descriptor: descriptor, rest: [], openedAt: now)
            } catch {
                close(descriptor)
                throw error
            }
        case .message(let path):
            return Connection(
                form: .message, descriptor: try Self.open(path, display.device), rest: [],
                openedAt: now)
        case .program(let arguments):
            guard let guardian else {
                throw DisplayFault(
                    "`\(display.device.subject)` cannot be started: no guardian of programs",
                    remedy: "run the panel with `detent run`")
            }
            do throws(FedProgram.Failure) {
                let program = try FedProgram.start(arguments, guardian: guardian)
                return Connection(
                    form: .lines(program), descriptor: program.descriptor, rest: [],
                    openedAt: now)
            } catch {
                throw DisplayFault(error.explanation, remedy: "`detent doctor` checks it")
            }
        }
    }

    private static func open(
        _ path: String, _ device: DisplayPlan.Device
    ) throws(DisplayFault) -> Int32 {
        let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        if descriptor < 0 { throw DisplayFault("opened", device, errno: errno) }
        return descriptor
    }

    private static func screen(
        _ descriptor: Int32, _ display: DisplayPlan, _ describe: (Int32) -> Framebuffer?
    ) throws(DisplayFault) -> DotScreen {
        let path = display.device.subject
        guard let kernel = describe(descriptor) else {
            throw DisplayFault(
                "`\(path)` is not a screen of dots that Detent can draw on",
                remedy: "name a framebuffer of 1, 8, 16, 24 or 32 bits; `ls /dev/fb*` lists them")
        }
        guard let screen = DotScreen(kernel, columns: display.columns, rows: display.rows) else {
            throw DisplayFault(
                "\(display.columns) × \(display.rows) letters do not fit `\(path)`, which has "
                    + "\(kernel.width) × \(kernel.height) dots",
                remedy: "write fewer `columns` or `rows`; a letter needs 6 × 8 dots")
        }
        return screen
    }

    /// Looks whether the display could be used now, without a change of what it shows.
    ///
    /// The first opening since the start of the machine clears a character display. A program is
    /// not started.
    /// - Returns: what is wrong; nil if nothing is.
    static func check(_ display: DisplayPlan) -> DisplayFault? {
        if case .program(let arguments) = display.device {
            return FedProgram.check(arguments).map {
                DisplayFault($0.cause, remedy: $0.remedy)
            }
        }
        do throws(DisplayFault) {
            let descriptor = try open(display.device.subject, display.device)
            defer { close(descriptor) }
            if case .framebuffer = display.device {
                _ = try screen(descriptor, display) { Framebuffer.describe($0) }
            }
            return nil
        } catch {
            return error
        }
    }

    // MARK: Writing

    private func bytes(_ rows: [String], _ connection: Connection) -> [UInt8] {
        switch connection.form {
        case .characters(let screen):
            return rows.enumerated().flatMap { row, text in
                connection.shown?[row] == text ? [] : screen.row(row, text)
            }
        case .dots(let screen): return screen.draw(rows)
        case .message:
            // The kernel repeats a text that is too short.
            let text = rows.first ?? ""
            let blanks = String(repeating: " ", count: max(0, display.columns - text.count))
            return Array((text + blanks + "\n").utf8)
        case .lines: return Array((rows.joined(separator: "\t") + "\n").utf8)
        }
    }

    /// Writes what waits; false if the display takes no more now.
    private func write(_ connection: inout Connection) throws(DisplayFault) -> Bool {
        while !connection.rest.isEmpty {
            let count = connection.rest.withUnsafeBytes { bytes in
                let start: Int64
                switch connection.form {
                case .characters, .lines:
                    return Glibc.write(connection.descriptor, bytes.baseAddress, bytes.count)
                case .dots(let screen): start = screen.offset
                case .message: start = 0
                }
                return pwrite(
                    connection.descriptor, bytes.baseAddress, bytes.count,
                    off_t(start) + connection.rest.startIndex)
            }
            if count > 0 {
                connection.rest = connection.rest.dropFirst(count)
                connection.refusals = 0
            } else if count == 0 || errno == EAGAIN {
                connection.refusals += 1
                return false
            } else if errno == EPIPE {
                throw Self.ended(display)
            } else if errno != EINTR {
                throw DisplayFault("written", display.device, errno: errno)
            }
        }
        return true
    }

    /// The display is full. The first time the kernel says when it takes more; a device that cannot
    /// say so is asked again after a pause.
    private mutating func hold(_ connection: Connection, at now: Instant) -> Wait {
        state = .open(connection)
        guard connection.refusals > 1 else { return .room }
        let doublings = UInt64(min(connection.refusals - 2, 5))
        let pause = min(
            TimeSpan.milliseconds(100) * (1 << doublings), RuntimeLimits.displayLongestPause)
        retryAt = now + pause
        return .until(retryAt)
    }

    /// The pause grows until the display has worked for a while, so that one that comes and goes
    /// neither fills the log nor keeps the machine busy.
    private mutating func fail(_ error: DisplayFault, at now: Instant) -> Wait {
        if case .open(let connection) = state,
            now - connection.openedAt >= RuntimeLimits.displayLongestPause
        {
            pause = RuntimeLimits.displayFirstPause
            told = .nothing
        }
        disconnect(within: .zero)
        retryAt = now + pause
        pause = min(pause + pause, RuntimeLimits.displayLongestPause)
        switch told {
        case .fault(let known) where known == error, .recovery(let known) where known == error:
            break
        case .nothing, .fault, .recovery:
            told = .fault(error)
            log(
                "detent: display \(display.name): \(error.cause); retrying\n"
                    + "help: \(error.remedy)\n")
        }
        return .until(retryAt)
    }

    /// From when on an open display counts as one that works again; `never` if there is nothing to
    /// say. A program may take its first text and end.
    private var recoversAt: Instant {
        guard case .fault = told, case .open(let connection) = state else { return .never }
        guard case .lines = connection.form else { return connection.openedAt }
        return connection.openedAt + RuntimeLimits.displayFirstPause
    }

    private mutating func recover(at now: Instant) {
        guard recoversAt <= now, case .fault(let error) = told else { return }
        told = .recovery(error)
        log("detent: display \(display.name) works again\n")
    }
}

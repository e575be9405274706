import CGuardian
public import DetentPlatform
public import DetentTypes
import Synchronization

/// The first process of a running panel, seen from the panel.
///
/// It survives the panel. When the panel dies, for any reason, it kills the panel's programs and
/// writes the `on-crash` levels. See docs/decisions/0022-the-guardian-is-the-first-process.md.
public final class PanelGuardian: Sendable {
    /// An output with the level that it gets when the panel dies.
    public struct Line: Equatable, Sendable {
        /// The name in the panel file, for messages. A line replaces an earlier one of its name.
        public var name: String
        /// The device node of its chip, such as `/dev/gpiochip0`.
        public var chip: String
        /// Its offset on the chip.
        public var offset: UInt32
        /// Whether the active level is low.
        public var isActiveLow: Bool
        /// The level after a crash, before polarity.
        public var level: Level
        /// What is written into a file in place of the request of a line; nil for a chip.
        public private(set) var text: String?
        /// The open file; -1 for a chip.
        fileprivate var descriptor: Int32 = -1

        /// Makes a line.
        public init(
            name: String, chip: String, offset: UInt32, isActiveLow: Bool, level: Level
        ) {
            self.name = name
            self.chip = chip
            self.offset = offset
            self.isActiveLow = isActiveLow
            self.level = level
        }

        /// Makes an output that is a file, with the text that it gets.
        ///
        /// - Parameters:
        ///   - file: its path, for messages; the guardian opens none.
        ///   - descriptor: the file, open for writing until the line is guarded. The guardian then
        ///     has a descriptor of its own.
        public init(name: String, file: String, descriptor: Int32, text: String) {
            self.init(name: name, chip: file, offset: 0, isActiveLow: false, level: .inactive)
            self.text = text
            self.descriptor = descriptor
        }
    }

    /// Takes the process groups of programs, as `Guardian` of DetentActions writes them. The caller
    /// owns it.
    public let programs: Int32
    private let lines: Int32
    /// Shared with the guardian. Only the thread of the panel's loop writes values.
    nonisolated(unsafe) private let kept: OpaquePointer?

    /// The guardian of this process; nil before `begin`, and in every other command.
    public static var ofThisProcess: PanelGuardian? { current.withLock { $0 } }

    private static let current = Mutex<PanelGuardian?>(nil)

    /// Splits this process into the guardian and the panel, which runs a function and ends.
    ///
    /// Call it first: no thread may have begun, and the guardian keeps the memory of this moment.
    /// After a restart it calls the function again, in another process.
    ///
    /// - Throws: `PlatformError` if no descriptor, thread or process is available; nothing was
    ///   split. It does not return otherwise.
    public static func begin(_ panel: @escaping () -> Void) throws(PlatformError) -> Never {
        let work = Unmanaged.passRetained(Work(panel: panel))
        let error = detent_guard_begin(
            { guardian, context in
                guard let guardian, let context else { return }
                PanelGuardian.current.withLock {
                    $0 = PanelGuardian(
                        programs: guardian.pointee.programs, lines: guardian.pointee.lines,
                        kept: guardian.pointee.kept)
                }
                Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().panel()
            }, work.toOpaque())
        work.release()
        throw PlatformError(doing: "start the guardian", errno: -error)
    }

    private final class Work {
        let panel: () -> Void

        init(panel: @escaping () -> Void) {
            self.panel = panel
        }
    }

    /// Makes the guardian hold the outputs for a time after a crash, and then start the panel
    /// again. Without this call it ends as the panel did.
    public func restart(after span: TimeSpan) {
        detent_guard_restart(lines, UInt32(clamping: span.nanoseconds / 1_000_000))
    }

    private init(programs: Int32, lines: Int32, kept: OpaquePointer?) {
        self.kept = kept
        self.programs = programs
        self.lines = lines
    }

    /// Guards a line from now on. From any thread.
    ///
    /// - Returns: false if a name is too long for the guardian, or the guardian has ended.
    public func guardLine(_ line: Line) -> Bool {
        var guarded = detent_guarded_line()
        guarded.offset = line.offset
        guarded.active_low = line.isActiveLow
        guarded.level = line.level == .active
        guard Self.copy(line.chip, to: &guarded.chip),
            Self.copy(line.text ?? "", to: &guarded.text)
        else { return false }
        // The name is for messages only, so a long one is cut.
        _ = Self.copy(line.name, to: &guarded.name)
        return detent_guard_line(lines, &guarded, line.descriptor)
    }

    /// Stops guarding lines: the panel has left them as it should. From any thread.
    public func forgetLines() { detent_guard_forget_lines(lines) }

    /// Replaces the guarded lines by those of a panel that follows by a reload. From any thread.
    ///
    /// - Returns: the names of lines that are not guarded, as `guardLine` says.
    public func replaceLines(by lines: [Line]) -> [String] {
        detent_guard_begin_lines(self.lines)
        let refused = lines.filter { !guardLine($0) }.map(\.name)
        detent_guard_forget_earlier(self.lines)
        return refused
    }

    /// Stops guarding lines of earlier panels: this one has guarded its own. From any thread.
    public func forgetEarlierLines() { detent_guard_forget_earlier(lines) }

    // MARK: Values

    /// Memory for the values of the controls, a word for each, which survives the panel. It is all
    /// zero at first. Nil if there are too many controls.
    public func values(count: Int) -> UnsafeMutableBufferPointer<UInt64>? {
        guard let kept, let words = detent_kept_values(kept, count) else { return nil }
        return UnsafeMutableBufferPointer(start: words, count: count)
    }

    /// From now on the guardian writes the values to a file when the panel has died.
    ///
    /// - Parameter identity: of the panel to which the values belong; it is written too.
    /// - Returns: false if the path is too long.
    public func keepValues(in file: String, identity: UInt64) -> Bool {
        guard let kept else { return false }
        return detent_keep_values(kept, file, identity)
    }

    /// The panel has saved its values as it should.
    public func forgetValues() {
        if let kept { detent_forget_values(kept) }
    }

    /// Copies a text into a field of a C structure, which stays closed by a zero.
    ///
    /// - Returns: whether all of it had room.
    private static func copy<Field>(_ text: String, to field: inout Field) -> Bool {
        withUnsafeMutableBytes(of: &field) { bytes in
            bytes.copyBytes(from: text.utf8.prefix(bytes.count - 1))
            return text.utf8.count < bytes.count
        }
    }
}

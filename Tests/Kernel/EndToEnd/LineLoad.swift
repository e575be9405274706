internal import Glibc
internal import KernelSupport
internal import Synchronization

/// A thread that moves the first line of a chip, and a line of another chip that may go away, a
/// thousand times a second.
final class LineLoad: @unchecked Sendable {
    /// How often the first line was moved; read it after `stop`.
    private(set) var count = 0
    private let isOver = Atomic(false)
    /// The file that moves the other line, or -1. It can refuse: its chip may be gone.
    private let pull = Atomic<Int32>(-1)
    private var files: [Int32] = []
    private var thread: Thread?

    init(_ chip: SimChip) throws {
        let box = Unsafe(chip)
        thread = try Thread { self.run(box.chip) }
    }

    deinit {
        for file in files { close(file) }
    }

    /// Moves the line of this folder too, from now on.
    func move(_ folder: String) {
        let file = open("\(folder)/pull", O_WRONLY | O_CLOEXEC)
        if file >= 0 { files.append(file) }
        pull.store(file, ordering: .releasing)
    }

    /// Ends the thread; does nothing if called again.
    func stop() {
        isOver.store(true, ordering: .releasing)
        thread?.join()
        thread = nil
    }

    private func run(_ chip: SimChip) {
        while !isOver.load(ordering: .acquiring) {
            count += 1
            let high = count % 2 == 1
            chip.pull(0, high: high)
            let text = high ? "pull-up" : "pull-down"
            _ = pwrite(pull.load(ordering: .acquiring), text, text.utf8.count, 0)
            usleep(1_000)
        }
    }

    /// Only the thread uses the chip until it has ended.
    private struct Unsafe: @unchecked Sendable {
        let chip: SimChip
        init(_ chip: SimChip) { self.chip = chip }
    }
}

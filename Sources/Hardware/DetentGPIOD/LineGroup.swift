internal import CGPIOD
internal import DetentHAL
internal import DetentTypes

/// An open chip. It is closed when the last of its groups is released, as libgpiod 1.6 requires.
///
/// Sendable because the handle does not change after opening, and only one thread requests its
/// lines.
final class OpenChip: @unchecked Sendable {
    let path: String
    let sleeps: Bool
    let handle: OpaquePointer

    init(path: String, sleeps: Bool) throws(SystemError) {
        var opened: OpaquePointer?
        let result = detent_gpio_chip_open(path, &opened)
        guard result == 0, let opened else { throw SystemError(errno: -result) }
        handle = opened
        self.path = path
        self.sleeps = sleeps
    }

    deinit { detent_gpio_chip_close(handle) }

    /// Reads a line's information from the kernel again; nil if that fails.
    func describe(_ offset: UInt32) -> LineRecord? {
        var line = detent_gpio_line_info()
        guard detent_gpio_line_info(handle, offset, &line) == 0 else { return nil }
        return LineRecord(
            offset: offset, name: text(line.name), consumer: text(line.consumer),
            isUsed: line.used, isOutput: line.output, isActiveLow: line.active_low)
    }
}

/// A failed system call.
struct SystemError: Error, Equatable {
    var errno: Int32
}

/// Lines of one chip that were requested together. They are released with the last reference.
///
/// Sendable although two threads may use it: reading or driving a level is one system call on a
/// descriptor that stays open, and only the real-time thread reads edges.
final class LineGroup: @unchecked Sendable {
    let chip: OpenChip
    /// Slots of the backend's lines, in the order of the request. Only the real-time thread uses
    /// them.
    private(set) var slots: [Int]
    private let offsets: [UInt32]
    private let handle: OpaquePointer
    /// Readable when an edge waits; -1 without edges.
    let descriptor: Int32

    init(
        chip: OpenChip, consumer: String, slots: [Int], lines: [detent_gpio_line_request]
    ) throws(SystemError) {
        var made: OpaquePointer?
        let result = detent_gpio_request(chip.handle, consumer, lines, lines.count, &made)
        guard result == 0, let made else { throw SystemError(errno: -result) }
        handle = made
        descriptor = detent_gpio_group_descriptor(made)
        offsets = lines.map(\.offset)
        self.chip = chip
        self.slots = slots
    }

    deinit { detent_gpio_release(handle) }

    /// The offset on the chip of the line at an index of the request.
    func offset(at place: Int) -> UInt32 { offsets[place] }

    /// The backend's lines have other slots from now on.
    func renumber(_ slots: [Int]) { self.slots = slots }

    /// The slot of the line at an offset; nil if the offset was not requested.
    func slot(ofOffset offset: UInt32) -> Int? {
        for place in offsets.indices where offsets[place] == offset { return slots[place] }
        return nil
    }

    /// The level of the line at an index of the request: 0 or 1, or a negative error number.
    func level(at place: Int) -> Int32 {
        detent_gpio_get(handle, place)
    }

    /// Drives the output at an index of the request; a negative error number if that fails.
    func drive(_ level: Level, at place: Int) -> Int32 {
        detent_gpio_set(handle, place, level == .active)
    }

    /// Reads all lines of a mask at once; a negative error number if that fails.
    func levels(of mask: UInt64, into levels: inout UInt64) -> Int32 {
        detent_gpio_get_mask(handle, mask, &levels)
    }

    /// Reads a batch of edges; a negative error number if that fails.
    func readEdges(
        into batch: UnsafeMutableBufferPointer<detent_gpio_edge>, isFull: inout Bool
    ) -> Int32 {
        detent_gpio_read_edges(handle, batch.baseAddress, batch.count, &isFull)
    }
}

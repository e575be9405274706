import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// What a program has written, as its pipe is read.
@Suite struct OutputPipeTests {
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    /// F_SETPIPE_SZ, which the module Glibc does not have.
    private static let setPipeSize: Int32 = 1_031

    private func write(_ count: Int, to end: Int32) {
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: count)
        expectEqual(Glibc.write(end, bytes, count), count)
    }

    /// Whether the other end is closed or will be: a program that another test starts at the same
    /// moment has it until it begins.
    private func isBroken(_ end: Int32) -> Bool {
        var entry = pollfd(fd: end, events: 0, revents: 0)
        return poll(&entry, 1, 60_000) == 1 && entry.revents & Int16(POLLERR | POLLHUP) != 0
    }

    private func isWhole(_ end: Int32) -> Bool {
        var entry = pollfd(fd: end, events: 0, revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    @Test func itIsReadUntilItsEnd() throws {
        defer { buffer.deallocate() }
        var (pipe, end) = try OutputPipe.make().get()
        expectEqual(pipe.readOnce(into: buffer), 0)
        #expect(pipe.descriptor >= 0, "nothing came yet")
        write(3, to: end)
        expectEqual(pipe.readOnce(into: buffer), 3)
        expectEqual(pipe.readOnce(into: buffer), 0)
        #expect(pipe.descriptor >= 0 && !pipe.isOverfull)
        close(end)
        #expect(isBroken(pipe.descriptor))
        expectEqual(pipe.readOnce(into: buffer), 0)
        expectEqual(pipe.descriptor, -1)
        expectEqual(pipe.readOnce(into: buffer), 0)
        #expect(pipe.head == Array("xxx".utf8) && pipe.tail.text == "xxx")
    }

    @Test func itIsClosedAtTheFirstByteTooMany() throws {
        defer { buffer.deallocate() }
        var (pipe, end) = try OutputPipe.make(limit: 3).get()
        defer { close(end) }
        write(3, to: end)
        expectEqual(pipe.readOnce(into: buffer), 3)
        #expect(!pipe.isOverfull && isWhole(end))
        write(1, to: end)
        expectEqual(pipe.readOnce(into: buffer), 1)
        #expect(pipe.isOverfull && isBroken(end) && pipe.descriptor == -1)
        expectEqual(pipe.head, Array("xxx".utf8))
    }

    @Test func onlyItsBeginningIsTheAnswer() throws {
        defer { buffer.deallocate() }
        var (pipe, end) = try OutputPipe.make().get()
        defer { close(end) }
        write(ActionLimits.answer - 1, to: end)
        pipe.readOnce(into: buffer)
        write(5, to: end)
        pipe.readOnce(into: buffer)
        expectEqual(pipe.head.count, ActionLimits.answer)
        pipe.discard()
    }

    /// A program that outlives the one that was started may write for ever.
    @Test(arguments: [(-1, true), (0, false)])
    func whatComesLateIsBounded(more: Int, isOverfull: Bool) throws {
        defer { buffer.deallocate() }
        var (pipe, end) = try OutputPipe.make(limit: ActionLimits.lateOutput + more).get()
        defer { close(end) }
        try #require(fcntl(end, Self.setPipeSize, 1 << 20) > 4 * ActionLimits.lateOutput)
        write(3 * ActionLimits.lateOutput, to: end)
        pipe.finish(with: buffer)
        expectEqual(pipe.isOverfull, isOverfull)
        #expect(pipe.descriptor == -1 && isBroken(end))
    }

    @Test func whatIsThereAtTheEndIsRead() throws {
        defer { buffer.deallocate() }
        var (pipe, end) = try OutputPipe.make().get()
        defer { close(end) }
        write(7, to: end)
        pipe.finish(with: buffer)
        #expect(pipe.tail.text == "xxxxxxx" && isBroken(end))
    }

    @Test func aPipeThatIsNotUsedIsClosed() throws {
        defer { buffer.deallocate() }
        var (pipe, end) = try OutputPipe.make().get()
        defer { close(end) }
        #expect(isWhole(end))
        pipe.discard()
        #expect(pipe.descriptor == -1 && isBroken(end))
    }
}

import CZlib

/// Inflates what was deflated, or passes on what was not, and counts; memory is bounded by zlib's
/// window and one piece of 64 KiB.
struct Unpacker: ~Copyable {
    /// Bytes handed over so far.
    private(set) var count: UInt64 = 0
    /// CRC-32 of these bytes.
    private(set) var checksum: UInt32 = 0
    private let stream: UnsafeMutablePointer<z_stream>?
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    private var hasEnded = false

    init(isDeflated: Bool) throws(CaptureError) {
        if !isDeflated {
            stream = nil
            return
        }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Raw deflate data, as ZIP has it: no header of zlib's own.
        let status = inflateInit2_(
            stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        self.stream = stream
        if status != Z_OK {
            throw CaptureError("zlib cannot begin (\(status))", "free memory")
        }
    }

    deinit {
        if let stream {
            inflateEnd(stream)
            stream.deallocate()
        }
        output.deallocate()
    }

    /// Takes packed bytes and hands over what comes out of them.
    mutating func feed(
        _ packed: [UInt8], limit: UInt64,
        _ body: (UnsafeRawBufferPointer) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        var packed = packed
        // A pointer of zlib's must not outlive the array's borrowing, hence the copy of the count.
        let total = packed.count
        var used = 0
        var isRoomFull = false
        // zlib takes its last byte before it has room for all that comes of it, so a full room is
        // emptied and offered again.
        while used < total || isRoomFull, !hasEnded {
            let made: Int
            (used, made) = try inflateSome(&packed, from: used)
            isRoomFull = made == output.count
            let piece = UnsafeRawBufferPointer(rebasing: output[..<made])
            count += UInt64(made)
            if count > limit { throw ZIPArchive.damaged("an entry is longer than it says") }
            checksum = UInt32(
                truncatingIfNeeded: crc32(
                    uLong(checksum), piece.bindMemory(to: UInt8.self).baseAddress, uInt(made)))
            if made > 0 { try body(piece) }
        }
    }

    /// One step: bytes used so far, and bytes that stand in `output` now.
    private mutating func inflateSome(
        _ packed: inout [UInt8], from start: Int
    ) throws(CaptureError) -> (used: Int, made: Int) {
        guard let stream else {
            let end = min(packed.count, start + output.count)
            output.copyBytes(from: packed[start..<end])
            return (end, end - start)
        }
        let available = packed.count - start
        let status = packed.withUnsafeMutableBufferPointer { bytes in
            stream.pointee.next_in = bytes.baseAddress.map { $0 + start }
            stream.pointee.avail_in = uInt(available)
            stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = uInt(output.count)
            return inflate(stream, Z_NO_FLUSH)
        }
        if status == Z_STREAM_END {
            hasEnded = true
        } else if status != Z_OK && status != Z_BUF_ERROR {
            throw ZIPArchive.damaged("deflated data makes no sense (zlib says \(status))")
        }
        return (
            start + available - Int(stream.pointee.avail_in),
            output.count - Int(stream.pointee.avail_out)
        )
    }
}

import CZlib

/// Inflates or copies the data of an entry, and counts it. Memory is limited to zlib's window and
/// one piece of 64 KiB.
struct Unpacker: ~Copyable {
    /// Bytes passed on so far.
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
        // Raw deflate data, as in ZIP: without zlib's own header.
        let status = inflateInit2_(
            stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        self.stream = stream
        if status != Z_OK {
            throw CaptureError("zlib cannot start (\(status))", "free memory")
        }
    }

    deinit {
        if let stream {
            inflateEnd(stream)
            stream.deallocate()
        }
        output.deallocate()
    }

    /// Passes the unpacked form of packed bytes to a function.
    mutating func feed(
        _ packed: [UInt8], limit: UInt64,
        _ body: (UnsafeRawBufferPointer) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        var packed = packed
        // A pointer in zlib must not outlive the borrowed array, so the count is copied.
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
            if count > limit { throw ZIPArchive.damaged("an entry is longer than its header says") }
            checksum = UInt32(
                truncatingIfNeeded: crc32(
                    uLong(checksum), piece.bindMemory(to: UInt8.self).baseAddress, uInt(made)))
            if made > 0 { try body(piece) }
        }
    }

    /// One step: the number of bytes used so far, and of bytes in `output` now.
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
            throw ZIPArchive.damaged("invalid deflated data (zlib error \(status))")
        }
        return (
            start + available - Int(stream.pointee.avail_in),
            output.count - Int(stream.pointee.avail_out)
        )
    }
}

import CZlib

/// Deflates the samples of one piece, and counts them. Runs of equal samples cost almost nothing.
struct Packer: ~Copyable {
    /// The packed bytes so far.
    private(set) var packed: [UInt8] = []
    /// Bytes given so far.
    private(set) var count: UInt64 = 0
    /// CRC-32 of these bytes.
    private(set) var checksum: UInt32 = 0
    private let stream: UnsafeMutablePointer<z_stream>
    private var room = [UInt8](repeating: 0, count: TraceLimits.writeBuffer)

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Raw deflate data, as in ZIP. Level 1 is fast, and good enough for runs.
        deflateInit2_(
            stream, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Adds bytes.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        count += UInt64(bytes.count)
        var bytes = Array(bytes)
        let length = bytes.count
        bytes.withUnsafeMutableBufferPointer { buffer in
            checksum = UInt32(
                truncatingIfNeeded: crc32(uLong(checksum), buffer.baseAddress, uInt(length)))
            stream.pointee.next_in = buffer.baseAddress
            stream.pointee.avail_in = uInt(length)
            deflateAll(Z_NO_FLUSH)
        }
    }

    /// Ends the piece; `packed` is then complete.
    mutating func finish() {
        stream.pointee.avail_in = 0
        deflateAll(Z_FINISH)
    }

    /// Runs zlib until it needs no more room.
    private mutating func deflateAll(_ flush: Int32) {
        var isFull = true
        while isFull {
            let made = room.withUnsafeMutableBufferPointer { buffer in
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(buffer.count)
                _ = deflate(stream, flush)
                return buffer.count - Int(stream.pointee.avail_out)
            }
            packed += room[..<made]
            isFull = made == room.count
        }
    }
}

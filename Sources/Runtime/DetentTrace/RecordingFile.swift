import Glibc

/// A file that can be read at any moment while it is written, also when the disk is full.
///
/// Text ends with a whole line: if only a part of the bytes can be written, the last line that is
/// not complete is removed again. An archive replaces its end in one piece: the room for it is
/// reserved first, so a full disk leaves the former end as it was.
struct RecordingFile: TraceOutput, ~Copyable {
    private let descriptor: Int32
    private let name: String
    /// Where the next text goes.
    private var size: Int = 0

    /// Creates or empties a file.
    init(path: String) throws(TraceError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        name = path
        if descriptor < 0 { throw TraceError(writing: path, errno: errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Appends text; after an error, the file ends with the last whole line.
    mutating func write(_ bytes: [UInt8]) throws(TraceError) {
        let done = put(bytes, at: size)
        if done == bytes.count {
            size += Int(done)
            return
        }
        let error = errno
        let whole = bytes[..<done].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        size += Int(whole)
        _ = ftruncate(descriptor, size)
        throw TraceError(writing: name, errno: error)
    }

    /// Replaces everything from an offset on. After an error, the file is as it was.
    mutating func replaceEnd(from offset: Int, with bytes: [UInt8]) throws(TraceError) {
        let end = offset + Int(bytes.count)
        let status = end > size ? posix_fallocate(descriptor, size, end - size) : 0
        guard status == 0 else {
            _ = ftruncate(descriptor, size)
            throw TraceError(writing: name, errno: status)
        }
        guard put(bytes, at: offset) == bytes.count else {
            throw TraceError(writing: name, errno: errno)
        }
        size = end
        _ = ftruncate(descriptor, size)
    }

    /// Writes bytes at an offset; returns how many. `errno` says why it is not all.
    private func put(_ bytes: [UInt8], at offset: Int) -> Int {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress.map { $0 + done }, $0.count - done,
                    offset + Int(done))
            }
            if written > 0 {
                done += written
            } else if written == 0 || errno != EINTR {
                return done
            }
        }
        return done
    }
}

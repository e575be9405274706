import Glibc

/// A source of bytes: a regular file or an array.
final class ByteSource {
    private enum Store {
        case bytes([UInt8])
        case file(descriptor: Int32)
    }

    let size: UInt64
    private let store: Store

    init(_ bytes: [UInt8]) {
        store = .bytes(bytes)
        size = UInt64(bytes.count)
    }

    /// Opens a file.
    init(path: String) throws(CaptureError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 {
            throw CaptureError(
                "cannot open `\(path)`: \(String(cString: strerror(errno)))",
                "check the path and its permissions")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw CaptureError(
                "`\(path)` is not a regular file", "save the capture in a file first")
        }
        size = UInt64(max(0, status.st_size))
        store = .file(descriptor: descriptor)
        if size > TraceLimits.fileSize {
            throw CaptureError(
                "`\(path)` has \(size) bytes, more than \(TraceLimits.fileSize)",
                "split the capture into several files")
        }
    }

    deinit {
        switch store {
        case .bytes: break
        case .file(let descriptor): close(descriptor)
        }
    }

    /// Reads at most `count` bytes at an offset; fewer only at the end.
    func read(at offset: UInt64, count: Int) throws(CaptureError) -> [UInt8] {
        switch store {
        case .bytes(let bytes):
            if offset >= size { return [] }
            let start = Int(offset)
            return Array(bytes[start..<min(bytes.count, start + count)])
        case .file(let descriptor):
            var result = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                let length = result.withUnsafeMutableBytes { buffer in
                    pread(
                        descriptor, buffer.baseAddress! + filled, count - filled,
                        off_t(offset) + filled)
                }
                if length < 0, errno == EINTR { continue }
                if length < 0 {
                    throw CaptureError(
                        "cannot read the file: \(String(cString: strerror(errno)))",
                        "check the storage device")
                }
                if length == 0 { break }
                filled += length
            }
            result.removeLast(count - filled)
            return result
        }
    }
}

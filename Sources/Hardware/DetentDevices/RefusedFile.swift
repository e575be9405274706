internal import DetentHAL
internal import Glibc

extension HALError {
    /// What an error number means for the files of one source.
    typealias Meaning = (code: Code, cause: String, remedy: String)

    /// Why the file of a device cannot be used.
    ///
    /// - Parameters:
    ///   - use: what cannot be done with it: `read` or `written`.
    ///   - permission: what gives the user the right to it.
    ///   - own: what an error number means for this source alone.
    static func refused(
        _ settings: LineSettings, _ path: String, errno: Int32, use: String, permission: String,
        own: [Int32: Meaning] = [:]
    ) -> HALError {
        let meaning: Meaning =
            switch errno {
            case EACCES, EPERM:
                (.permissionDenied, "\(path) may not be \(use) by this user", permission)
            case ENODEV, ENOENT, ENXIO:
                (
                    .unplugged, "\(path) was removed while it was opened",
                    "connect it again; it recovers automatically"
                )
            default:
                own[errno] ?? (
                    .system, "\(path) cannot be \(use): \(String(cString: strerror(errno)))",
                    "see the kernel's log (dmesg)"
                )
            }
        return HALError(
            code: meaning.code, line: settings.name, errno: errno, cause: meaning.cause,
            remedy: meaning.remedy)
    }
}

import CPlatform
import Glibc

/// Notices when a file is saved, by whatever means: written in place, or replaced by another one.
///
/// The folder is watched, so an editor that writes a new file and renames it is noticed too.
public final class FileWatch: Sendable {
    /// Readable when a file of the folder has changed.
    public let descriptor: Int32
    private let name: String

    /// Watches a file, which need not exist.
    ///
    /// - Throws: `PlatformError` if its folder cannot be watched.
    public init(_ file: String) throws(PlatformError) {
        let slash = file.lastIndex(of: "/")
        let folder = slash.map { String(file[...$0]) } ?? "."
        name = slash.map { String(file[file.index(after: $0)...]) } ?? file
        descriptor = detent_watch_folder(folder)
        if descriptor < 0 { throw PlatformError(doing: "watch \(folder)", errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Takes what was noticed; whether the file may have changed.
    public func take() -> Bool { detent_watch_take(descriptor, name) }
}

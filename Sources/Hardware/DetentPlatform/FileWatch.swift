import CPlatform
import Glibc
import Synchronization

/// Notices when a file is saved, by whatever means: written in place, replaced by another one, or
/// reached in another way because a link or a folder on the way was replaced.
///
/// Each folder on the way to the file is watched, also those behind links. So an editor that writes
/// a new file and renames it is noticed too.
public final class FileWatch: Sendable {
    /// An entry of a folder on the way to the file.
    private struct Place: Equatable {
        var folder: String
        var name: String
    }

    private struct Way {
        var watches: Set<Int32> = []
        /// As `detent_watch_take` wants them.
        var names: [CChar] = []
    }

    /// Readable when an entry of a folder has changed.
    public let descriptor: Int32
    private let file: String
    private let way = Mutex(Way())

    /// Links that are followed; the kernel follows as many.
    private static let mostLinks = 40

    /// Watches a file, which need not exist.
    ///
    /// - Throws: `PlatformError` if its folder cannot be watched.
    public init(_ file: String) throws(PlatformError) {
        // Before the first property is set: `deinit` would close a number that is in use again.
        descriptor = try Self.open(file)
        self.file = file
        watchTheWay()
    }

    private static func open(_ file: String) throws(PlatformError) -> Int32 {
        let descriptor = detent_watch_open()
        guard descriptor >= 0 else { throw PlatformError(doing: "watch \(file)", errno: errno) }
        let slash = file.lastIndex(of: "/")
        let folder = slash.map { String(file[...$0]) } ?? "."
        guard detent_watch_add(descriptor, folder) < 0 else { return descriptor }
        let error = errno
        close(descriptor)
        throw PlatformError(doing: "watch \(folder)", errno: error)
    }

    deinit {
        close(descriptor)
    }

    /// Takes what was noticed; whether the file may have changed.
    public func take() -> Bool {
        let names = way.withLock { $0.names }
        guard detent_watch_take(descriptor, names) else { return false }
        // A link may lead elsewhere now.
        watchTheWay()
        return true
    }

    private func watchTheWay() {
        let places = Self.places(on: file)
        way.withLock { way in
            var watches: Set<Int32> = []
            for place in places {
                let watch = detent_watch_add(descriptor, place.folder)
                if watch >= 0 { watches.insert(watch) }
            }
            for old in way.watches.subtracting(watches) { detent_watch_remove(descriptor, old) }
            way.watches = watches
            way.names = places.flatMap { $0.name.utf8CString } + [0]
        }
    }

    /// Every entry that is looked up on the way to a file, in order.
    private static func places(on path: String) -> [Place] {
        var rest = AbsolutePath.parts(of: AbsolutePath.of(path))[...]
        var folder = ""
        var places: [Place] = []
        var links = 0
        while let part = rest.popFirst() {
            if part == ".." {
                folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
                continue
            }
            let place = Place(folder: folder.isEmpty ? "/" : folder, name: part)
            if !places.contains(place) { places.append(place) }
            guard let target = SymbolicLink.target(of: folder + "/" + part), links < mostLinks
            else {
                folder += "/" + part
                continue
            }
            links += 1
            if target.hasPrefix("/") { folder = "" }
            rest = (AbsolutePath.parts(of: target) + rest)[...]
        }
        return places
    }
}

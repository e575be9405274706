import CPage
import CZlib
import DetentPanel
import DetentPlatform
import Synchronization

/// The files of the page: from the program, or from a folder during development.
///
/// Only these names are served, so a path cannot reach other files. The program has its scripts in
/// three bundles: for the first picture, for the tools, and for the editor of the panel file. A
/// folder has one file for each module.
///
/// Synchronization: from any thread. Who asks for what is being made waits for it.
final class PageFiles: Sendable {
    /// A file in the program, which does not change.
    private struct File: @unchecked Sendable {
        let name: String
        let bytes: UnsafeBufferPointer<UInt8>
    }

    /// What is served.
    private struct Answer {
        let bytes: [UInt8]
        let packed: [UInt8]?
    }

    /// The answer of one file, made at its first use.
    private final class Place: Sendable {
        let answer = Mutex<Answer?>(nil)
    }

    /// What asks the panel before the page is read: a script, not a module.
    static let early = "core/early.js"
    /// What a browser asks for at once when it has the page.
    private static let first = [early, "page.css", "parts/parts.css", "page.js"]
    /// The modules that a browser asks for, in this order; all others are in their bundles.
    private static let entries = ["page.js", "tools/all.js", "tools/file.js"]

    /// What it asks for after the first picture.
    private static let second = ["tools/tools.css", "tools/all.js"]

    private let files: [File]
    private let places: [String: Place]
    private let folder: String?
    private let isPrepared = Atomic(false)

    /// Loads the files in the program.
    ///
    /// - Parameter folder: a folder from which they are read at each request; nil uses those of the
    ///   program.
    init(folder: String?) {
        self.folder = folder
        var count = 0
        let list = UnsafeBufferPointer(start: detent_page_files(&count), count: count)
        files = list.map { file in
            File(
                name: String(cString: file.name),
                bytes: UnsafeBufferPointer(start: file.bytes, count: file.size))
        }
        places = Dictionary(uniqueKeysWithValues: files.map { ($0.name, Place()) })
    }

    /// The names of the files.
    var names: [String] { files.map(\.name) }

    /// The names of what is served from the program.
    var servedNames: [String] {
        names.filter { !$0.hasSuffix(".js") || $0 == Self.early || Self.entries.contains($0) }
    }

    /// The file at a path; nil if there is none.
    func response(to path: String, acceptsGzip: Bool) -> HTTPResponse? {
        let name = path == "/" ? "index.html" : String(path.dropFirst())
        if let folder { return names.contains(name) ? fromFolder(folder, name) : nil }
        guard servedNames.contains(name), let answer = answer(name) else { return nil }
        var response = HTTPResponse(200, type: Self.type(of: name), [])
        response.headers.append(("Vary", "Accept-Encoding"))
        if acceptsGzip, let packed = answer.packed {
            response.body = packed
            response.headers.append(("Content-Encoding", "gzip"))
        } else {
            response.body = answer.bytes
        }
        return response
    }

    /// Prepares on another thread, once. Where there can be none, files are made when asked for.
    func prepareElsewhere() {
        guard folder == nil, !isPrepared.exchange(true, ordering: .relaxed) else { return }
        _ = try? WorkerThread(named: "detent-page") { self.prepare() }
    }

    /// Makes what a browser will ask for next, which takes tens of milliseconds once.
    func prepare() {
        for name in Self.first + Self.second { _ = answer(name) }
    }

    private func answer(_ name: String) -> Answer? {
        places[name]?.answer.withLock { known in
            let answer = known ?? made(name)
            known = answer
            return answer
        }
    }

    private func made(_ name: String) -> Answer {
        let bytes =
            Self.entries.contains(name)
            ? Array(bundle(name).text.utf8) : content(name).map { Array($0) } ?? []
        // Letters are packed already.
        let isText = !name.hasSuffix(".woff2")
        return Answer(
            bytes: bytes, packed: isText ? bytes.withUnsafeBufferPointer(Self.pack) : nil)
    }

    /// The modules of an entry, without those of the entries before it.
    func bundle(_ entry: String) -> PageBundle {
        let source = { [self] (name: String) in
            content(name).map { String(decoding: $0, as: UTF8.self) }
        }
        let place = Self.entries.firstIndex(of: entry) ?? 0
        let before = place > 0 ? Self.entries[place - 1] : nil
        return PageBundle(entry, after: before.map { ($0, bundle($0)) }, source: source)
    }

    private func content(_ name: String) -> UnsafeBufferPointer<UInt8>? {
        files.first { $0.name == name }?.bytes
    }

    private func fromFolder(_ folder: String, _ name: String) -> HTTPResponse {
        let path = folder + "/" + name
        do throws(SourceText.Unreadable) {
            let bytes = try SourceText.read(file: path).bytes
            return HTTPResponse(200, type: Self.type(of: name), bytes)
        } catch {
            return HTTPResponse(
                APIError(404, "\(name): \(error.cause)", "check the folder of --web-dir"))
        }
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "woff2": "font/woff2"
        case .none, .some: "application/octet-stream"
        }
    }

    private static func pack(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        Minifier.minified(bytes).withUnsafeBufferPointer(gzip)
    }

    private static func gzip(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var stream = z_stream()
        // A window of 15 bits, plus 16 for gzip instead of zlib.
        guard
            deflateInit2_(
                &stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let size = packed.count
        let isWhole = packed.withUnsafeMutableBufferPointer { room in
            stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.avail_in = UInt32(bytes.count)
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(size)
            return deflate(&stream, Z_FINISH) == Z_STREAM_END
        }
        guard isWhole else { return nil }
        packed.removeLast(Int(stream.avail_out))
        return packed
    }
}

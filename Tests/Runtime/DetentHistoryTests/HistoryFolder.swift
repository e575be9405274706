import DetentHistory
import Glibc

/// A folder of one test, removed with this value and all that is in it.
final class HistoryFolder {
    let path: String

    init() {
        var template = Array("/tmp/detent-history-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var file: String { path + "/P.history" }

    /// The events that a query finds.
    func rows(_ query: HistoryQuery = HistoryQuery()) throws -> [HistoryRow] {
        var rows: [HistoryRow] = []
        try query.read(file) { rows.append($0) }
        return rows
    }

    deinit {
        for end in ["", "-wal", "-shm", "-journal"] { unlink(file + end) }
        rmdir(path)
    }
}

import DetentBench
import DetentCommand
import DetentPanel
import DetentTypes
import Glibc

/// Adds identified parts to a panel file, which stays as it is if that is not possible.
enum PanelFileEntry {
    /// Adds one part; makes the file if there is none.
    ///
    /// - Parameters:
    ///   - board: the board for a new file; nil for `board: none`.
    ///   - group: the group of the file that gets it; nil for `controls`.
    static func add(
        _ result: PartClassifier.Result, _ lines: [String], board: String?, to path: String,
        group: String? = nil
    ) throws {
        let old = access(path, F_OK) == 0 ? try read(path) : nil
        let taken = old.map { PanelEntry.ids(of: $0) } ?? []
        guard let entry = PanelEntry.text(result, lines: lines, taken: taken) else { return }
        let new: String
        if let old {
            let text = String(decoding: old.bytes, as: UTF8.self)
            guard let added = PanelEntry.adding([entry.text], to: text, group: group) else {
                throw refusal(
                    path, entry.text,
                    group.map { "it has no group `\($0)` with an indented section `controls:`" }
                        ?? "it has no indented section `controls:`")
            }
            new = added
        } else {
            new = PanelEntry.file(board: board, entries: [entry.text], group: group)
        }
        let problems = PanelReader.read(SourceText(file: path, text: new)).problems
        guard !problems.hasErrors else {
            StandardError.write(ProblemRenderer.text(problems))
            throw refusal(path, entry.text, "the file would have the errors above")
        }
        try replace(path, new)
        StandardError.write("detent: \(path): added \(entry.id)\n")
    }

    private static func read(_ path: String) throws -> SourceText {
        do {
            return try SourceText.read(file: path)
        } catch {
            throw Failure(
                code: .usage, cause: "\(path) cannot be read", remedy: "name a readable file")
        }
    }

    private static func refusal(_ path: String, _ entry: String, _ why: String) -> Failure {
        StandardError.write("This is the entry:\n\n\(entry)\n")
        return Failure(
            code: .usage, cause: "\(path) was not changed: \(why)",
            remedy: "add the entry under `controls:`, or give the name of a new file")
    }

    /// Writes beside the file and renames, so that the file is never half written. A link stays
    /// one, and the file keeps its owner and its mode.
    static func replace(_ path: String, _ text: String) throws {
        let path = MachineFacts.wholePath(path)
        var old = stat()
        let isThere = stat(path, &old) == 0
        let temporary = "\(path).\(getpid()).new"
        try write(
            text, to: temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
            like: isThere ? old : nil)
        guard rename(temporary, path) == 0 else {
            let error = errno
            unlink(temporary)
            throw cannotWrite(path, error)
        }
    }

    /// Writes a file that must not exist.
    static func create(_ path: String, _ text: String) throws {
        try write(text, to: path, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
    }

    private static func write(
        _ text: String, to path: String, flags: Int32, like old: stat? = nil
    ) throws {
        let file = open(path, flags, old == nil ? 0o644 : 0o600)
        guard file >= 0 else {
            if errno == EEXIST {
                throw Failure(
                    code: .usage, cause: "\(path) exists already",
                    remedy: "give another name, or remove the file first")
            }
            throw cannotWrite(path, errno)
        }
        if let old {
            var new = stat()
            let isOwn =
                fstat(file, &new) == 0 && new.st_uid == old.st_uid && new.st_gid == old.st_gid
            guard isOwn || fchown(file, old.st_uid, old.st_gid) == 0,
                fchmod(file, old.st_mode & 0o777) == 0
            else {
                let error = errno
                close(file)
                unlink(path)
                throw cannotWrite(path, error)
            }
        }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = errno
                close(file)
                unlink(path)
                throw cannotWrite(path, error)
            }
            bytes = bytes.dropFirst(count)
        }
        // The name must not be on the disk before the bytes.
        _ = fsync(file)
        close(file)
    }

    private static func cannotWrite(_ path: String, _ error: Int32) -> Failure {
        Failure(
            code: .usage, cause: "\(path) cannot be written: \(String(cString: strerror(error)))",
            remedy: "name a file in a folder that you can write to, with free space")
    }
}

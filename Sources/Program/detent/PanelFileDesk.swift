import DetentCommand
import DetentLanguage
import DetentPanel
import DetentServer
import DetentTypes
import Synchronization

/// The panel file of a simulation for its page: read, checked and saved.
///
/// A revision is a number of the file's bytes. A save names the one that was read, so that a change
/// by another program is not lost. Between the last look and the new file are some microseconds in
/// which another program can still write.
///
/// From any thread.
final class PanelFileDesk: Sendable {
    private let path: String
    /// Held while the file is replaced.
    private let saving = Mutex(())

    init(path: String) { self.path = path }

    /// Answers a page.
    func answer(_ request: FileAccess.Request) -> Result<JSONValue, FileAccess.Refusal> {
        Result { () throws(FileAccess.Refusal) in
            switch request {
            case .read:
                let source = try read()
                return [
                    "name": .string(path.split(separator: "/").last.map(String.init) ?? path),
                    "text": .string(FileLayout.text(source)),
                    "revision": .string(Self.revision(source.bytes)),
                ]
            case .check(let text, let withFixes):
                return PanelFileCheck(path: path, text: text).json(withFixes: withFixes)
            case .save(let text, let revision): return try save(text, over: revision)
            }
        }
    }

    private func read() throws(FileAccess.Refusal) -> SourceText {
        do throws(SourceText.Unreadable) {
            return try SourceText.read(file: path)
        } catch {
            throw FileAccess.Refusal(cause: error.cause, remedy: error.remedy)
        }
    }

    private func save(
        _ text: String, over revision: String
    ) throws(FileAccess.Refusal) -> JSONValue {
        try saving.withLock { _ throws(FileAccess.Refusal) in
            let old = try read()
            guard Self.revision(old.bytes) == revision else {
                throw FileAccess.Refusal(
                    cause: "another program has changed the panel file",
                    remedy: "load it; undo brings your text back", isConflict: true)
            }
            let new = FileLayout(old).restored(text)
            do {
                try PanelFileEntry.replace(path, new)
            } catch {
                throw FileAccess.Refusal(
                    cause: (error as? Failure)?.cause ?? "the panel file cannot be written",
                    remedy: "give it to the user who runs the simulator, then save again")
            }
            return ["revision": .string(Self.revision(Array(new.utf8)))]
        }
    }

    private static func revision(_ bytes: [UInt8]) -> String {
        String(FNV1a.sum(bytes), radix: 16)
    }
}

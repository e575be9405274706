import DetentTypes

/// The MQTT topics that a panel file has had, in a small file of the state folder.
///
/// A broker keeps what was told below a topic until a client empties it, and a panel whose `name`
/// or `topic` was changed no longer knows where it was.
///
/// Synchronization: none; one thread at a time writes for one panel file.
public enum FormerTopics {
    /// Former topics that are remembered. With more, the oldest is forgotten.
    public static let most = 8

    private static let title = "detent-topics 1"
    /// Bytes of a topic. A longer one is not remembered: eight have to fit in the 64 KiB that a
    /// process beside a panel is told at its start.
    private static let longest = 1_024

    /// Takes down the topic that a panel file has now.
    ///
    /// - Parameters:
    ///   - path: of the panel file from the root, as it is given (`AbsolutePath`): a link that
    ///     leads to another release is the same panel file.
    /// - Returns: the topics that it had before, the newest first.
    /// - Throws: `StateFolderError` if the file cannot be read or written. Nothing is lost then but
    ///   the memory of former topics.
    public static func note(
        _ topic: String, ofFile path: String, in folder: any StateFolder
    ) throws(StateFolderError) -> [String] {
        let name = name(of: path)
        let known = topics(try folder.read(name) ?? [])
        let former = Array(known.filter { $0 != topic }.prefix(most))
        if known != [topic] + former {
            let text = ([title, topic] + former).map { $0 + "\n" }.joined()
            try StateFile.replace(name, by: Array(text.utf8), in: folder)
        }
        return former
    }

    /// The name of the file for a panel file; it is different for different paths.
    static func name(of path: String) -> String {
        "panel-" + String(FNV1a.sum(path.utf8), radix: 16) + ".topics"
    }

    private static func topics(_ bytes: [UInt8]) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return [] }
        let lines = text.split(separator: "\n", maxSplits: most + 2).map(String.init)
        guard lines.first == title else { return [] }
        return lines.dropFirst().prefix(most + 1).filter {
            $0.utf8.count <= longest && !$0.contains { "#+\0".contains($0) }
        }
    }
}

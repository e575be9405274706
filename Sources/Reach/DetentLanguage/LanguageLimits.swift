/// Every limit of the language server, and what happens when it is reached.
enum LanguageLimits {
    /// Bytes of the header of a message; a longer one ends the server.
    static let headerBytes = 4_096
    /// Bytes of one message; a longer one ends the server. A file of 1 MiB takes up to six times as
    /// much in JSON.
    static let messageBytes = 8 << 20
    /// Nested lists and maps of a message; a deeper one is answered with an error.
    static let messageDepth = 64
    /// Files that are open; the next one is not read, and its requests have empty answers.
    static let documents = 64
    /// Bytes of all open files; what is beyond is not read.
    static let documentBytes = 16 << 20
    /// Lines with syntax errors that are left out to understand the rest; with more, a file has no
    /// completion.
    static let leftOutLines = 8
    /// Words that are tried for one completion; later ones are not offered.
    static let completions = 200
    /// Problems of a file that are sent; the reader counts further ones.
    static let problems = 1_000
    /// Fixes of one request; further ones are not offered.
    static let fixes = 32
    /// Problems of a text for which a page is told fixes; later ones have none until then.
    static let fixedProblems = 8
    /// Files and folders that are looked at for the scenarios of a panel; what is beyond is not
    /// found.
    static let filesLookedAt = 2_000
    /// Folders within each other that are looked at.
    static let folderDepth = 4
}

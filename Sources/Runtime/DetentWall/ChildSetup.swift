import CWall
import DetentPanel
import Glibc

/// What a process beside a panel needs to know at its start.
///
/// The panel writes it into a file in memory. So a token is in no argument, and both processes read
/// the same bytes of the panel file.
package struct ChildSetup: Equatable {
    /// The name of the session, which survives a process.
    package var session = ""
    /// Counts the processes of a panel, so that no answer reaches the next one.
    package var generation: UInt32 = 0
    /// The panel file: its name and its bytes.
    package var file = ""
    package var panel: [UInt8] = []
    /// Detent's version, which figures and the connection to a broker tell.
    package var version = ""
    /// What only this kind of process reads.
    package var settings: [UInt8] = []

    /// The setup in bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        MessageBytes.add(generation, to: &bytes)
        for text in [session, file, version] { MessageBytes.add(field: text.utf8, to: &bytes) }
        MessageBytes.add(field: settings, to: &bytes)
        MessageBytes.add(field: panel, to: &bytes)
        return bytes
    }
}

extension ChildSetup {
    /// Reads a setup; nil if it is wrong.
    init?(_ bytes: [UInt8]) {
        var rest = MessageBytes(bytes[...])
        guard let generation = rest.number(UInt32.self), let session = rest.text(),
            let file = rest.text(), let version = rest.text(), let settings = rest.field(),
            let panel = rest.field(), rest.isEmpty
        else { return nil }
        self.init(
            session: session, generation: generation, file: file, panel: Array(panel),
            version: version, settings: Array(settings))
    }

    /// Reads the setup of this process, which its panel has handed on; nil if there is none.
    package static var ofThisProcess: ChildSetup? {
        var status = stat()
        let file = Int32(DETENT_WALL_SETUP)
        guard fstat(file, &status) == 0, status.st_size > 0,
            status.st_size < Limits.fileBytes + 65_536
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard pread(file, &bytes, bytes.count, 0) == bytes.count else { return nil }
        return ChildSetup(bytes)
    }
}

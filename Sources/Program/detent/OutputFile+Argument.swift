import DetentCommand
import DetentTrace

extension OutputFile {
    /// Writes what an option asks for; a path that cannot be written is wrong usage.
    static func writeArgument(_ text: String, to path: String) throws {
        do {
            var file = try TraceFile(path: path)
            try file.write(Array(text.utf8))
        } catch {
            throw Failure(.usage, error)
        }
    }
}

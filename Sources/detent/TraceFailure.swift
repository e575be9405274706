import DetentTrace

/// Reports why a trace could not be written.
enum TraceFailure {
    /// Writes a trace; an error ends the command with cause and remedy.
    static func told<Result>(_ write: () throws(TraceError) -> Result) throws -> Result {
        do throws(TraceError) {
            return try write()
        } catch {
            throw Failure(.failed, error)
        }
    }
}

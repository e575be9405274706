import DetentTrace

/// Tells why a trace could not be written.
enum TraceFailure {
    /// Does what writes a trace; what goes wrong ends the command with cause and remedy.
    static func told<Result>(_ write: () throws(TraceError) -> Result) throws -> Result {
        do throws(TraceError) {
            return try write()
        } catch {
            throw Failure(.failed, error)
        }
    }
}

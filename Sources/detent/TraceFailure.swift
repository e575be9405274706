import DetentTrace

/// Tells why a trace could not be written.
enum TraceFailure {
    /// Does what writes a trace; what goes wrong ends the command with cause and remedy.
    static func told(_ write: () throws(TraceError) -> Void) throws {
        do throws(TraceError) {
            try write()
        } catch {
            throw Failure(code: .failed, cause: error.cause, remedy: error.remedy)
        }
    }
}

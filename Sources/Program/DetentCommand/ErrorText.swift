import DetentTypes

/// Prints errors: every message of the command line has this form.
package enum ErrorText {
    /// The cause after a place, and the remedy in a line of its own, each with a line feed.
    ///
    /// - Parameter place: what the message is about, such as a file; the program by default.
    package static func lines(_ error: some DescribedError, at place: String = "detent") -> String {
        let help = error.remedy.isEmpty ? "" : "help: \(error.remedy)\n"
        return "\(place): \(error.cause)\n" + help
    }
}

import DetentTypes

/// The documented exit codes; thrown after the message was printed.
package enum ExitStatus: Int32, Error {
    case failed = 1
    case usage = 2
    case hardware = 3
    case unreachable = 4
}

/// Why a command ends early: cause and remedy, one line each.
package struct Failure: DescribedError {
    package var code: ExitStatus
    package var cause: String
    package var remedy: String

    package init(code: ExitStatus, cause: String, remedy: String = "") {
        self.code = code
        self.cause = cause
        self.remedy = remedy
    }

    /// Ends the command with the cause and the remedy of an error.
    ///
    /// - Parameter place: what the error is about, such as a file, if the cause does not name it.
    package init(_ code: ExitStatus, _ error: some DescribedError, at place: String? = nil) {
        self.init(
            code: code, cause: place.map { "\($0): " + error.cause } ?? error.cause,
            remedy: error.remedy)
    }
}

import DetentTypes

extension ActionFailure {
    /// The failure that a scenario writes as a number of `WorldLimits.failureCodes`: -1 for an
    /// attempt that was not started, an exit status up to 255, and an HTTP status above.
    init(code: Int32) {
        if code < 0 {
            self = .notStarted
        } else if let status = UInt8(exactly: code) {
            self = .exit(status)
        } else {
            self = .http(status: UInt16(clamping: code))
        }
    }
}

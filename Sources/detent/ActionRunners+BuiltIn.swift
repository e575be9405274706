import DetentActions

extension ActionRunners {
    /// The runners of this program, one line for each kind of action.
    ///
    /// - Parameter guardian: kills programs when this process dies; nil starts one.
    static func builtIn(guardian: Guardian? = nil) throws -> ActionRunners {
        [
            .run: try ProcessSupervisor(guardian: guardian)
        ]
    }
}

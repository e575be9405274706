import DetentActions

extension ActionRunners {
    /// The runners of this program, one line for each kind of action.
    static func builtIn() throws -> ActionRunners {
        [
            .run: try ProcessSupervisor()
        ]
    }
}

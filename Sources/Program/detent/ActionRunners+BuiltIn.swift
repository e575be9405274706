import DetentActions
import DetentMQTT

extension ActionRunners {
    /// The runners of this program, one line for each kind of action.
    ///
    /// - Parameter guardian: kills programs when this process dies; nil starts one.
    static func builtIn(guardian: Guardian? = nil) throws -> ActionRunners {
        let programs = try ProcessSupervisor(guardian: guardian)
        return [
            .run: programs,
            .http: try HTTPRunner(programs: programs),
            .osc: try OSCRunner(),
            .mqtt: BrokerOutlet(refuser: programs),
        ]
    }
}

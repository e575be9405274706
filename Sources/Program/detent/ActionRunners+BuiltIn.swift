import DetentActions
import DetentMQTT

extension ActionRunners {
    /// The runners of this program, one line for each kind of action.
    ///
    /// - Parameter guardian: kills programs when this process dies; nil starts one.
    static func builtIn(guardian: Guardian? = nil) throws -> ActionRunners {
        let guardian = try guardian ?? Guardian()
        let programs = try ProcessSupervisor(guardian: guardian)
        let wires = try Wires(guardian: guardian)
        return [
            .run: programs,
            .http: try HTTPRunner(programs: programs),
            .osc: try OSCRunner(),
            .tcp: WireRunner(.tcp, wires, refuser: programs),
            .udp: WireRunner(.udp, wires, refuser: programs),
            .serial: WireRunner(.serial, wires, refuser: programs),
            .key: WireRunner(.key, wires, refuser: programs),
            .mqtt: MQTTRunner(refuser: programs),
        ]
    }
}

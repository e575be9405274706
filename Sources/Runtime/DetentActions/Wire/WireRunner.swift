public import DetentTypes

/// Sends texts to devices nearby, or presses keys of this machine: the runner of `tcp`, `udp`,
/// `serial` or `key` actions.
///
/// The runners of a panel share its wires: an action and a feedback of one place have one
/// connection.
public final class WireRunner: ActionRunner {
    /// The wires of the panel.
    public let wires: Wires
    private let kind: ActionKindID
    private let refuser: any ActionRunner

    /// Sends over wires of a kind.
    ///
    /// - Parameter refuser: ends an attempt that cannot be started.
    public init(_ kind: ActionKindID, _ wires: Wires, refuser: any ActionRunner) {
        self.kind = kind
        self.wires = wires
        self.refuser = refuser
    }

    /// Sends the text of a request after those before it to the same place.
    public func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        do throws(WireCall.Refusal) {
            try wires.start(kind, request, tell: tell)
        } catch {
            var refused = request
            refused.payload = .refused(error.explanation)
            refuser.start(refused, tell: tell)
        }
    }

    /// Stops an attempt. If its answer was waited for, the connection is closed and made anew.
    public func cancel(_ run: RunID) { wires.cancel(run) }

    /// Closes all wires.
    public func stop(within span: TimeSpan) -> Int { wires.stop() }
}

extension ActionKindID {
    /// Text over a connection.
    public static let tcp = ActionKindID("tcp")
    /// Text in datagrams.
    public static let udp = ActionKindID("udp")
    /// Text over a serial wire.
    public static let serial = ActionKindID("serial")
    /// Keys of this machine.
    public static let key = ActionKindID("key")
}

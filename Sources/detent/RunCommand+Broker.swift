import DetentActions
import DetentMQTT
import DetentPanel
import DetentRuntime
import DetentWall

extension RunCommand {
    /// The process that connects a panel with its broker.
    ///
    /// - Parameters:
    ///   - page: the address of the page, whose token the broker must not learn.
    ///   - runners: one of them sends messages through the process.
    ///   - host: where reports and confirmations of devices arrive.
    ///   - board: where the figures of the connection are shown; nil without a page.
    func brokerProcess(
        of port: LoopPort, _ source: SourceText, page: String?, _ runners: ActionRunners,
        _ host: borrowing PanelHost, _ board: BrokerBoard?,
        say: @escaping @Sendable (String) -> Void
    ) throws -> ChildProcess {
        let outlet = runners[.mqtt] as? BrokerOutlet
        outlet?.report(to: host.intake)
        let actions = host.actions
        outlet?.confirm { actions.confirms($0, $1) == true }
        if let board { outlet?.show(on: board) }
        if let page {
            let asksForToken = !self.page.tokenFile.isEmpty || page.contains("#")
            let isBounded = ProcessWall.boundsConnections
            ProcessWall.note(pageAsksForToken: asksForToken, isBounded: isBounded).map(say)
        }
        let page = page?.prefix { $0 != "#" }
        return try Broker.process(
            of: port, source: source, version: Detent.version, page: page.map(String.init),
            outlet: outlet, say: say)
    }
}

import DetentMQTT
import DetentPanel
import DetentRuntime
import DetentServer

extension RunCommand {
    /// The process that connects a panel with its broker.
    ///
    /// - Parameter page: the address of the page, whose token the broker must not learn.
    func brokerProcess(
        of port: LoopPort, _ source: SourceText, page: String?,
        say: @escaping @Sendable (String) -> Void
    ) throws -> PanelGateway {
        let page = page?.prefix { $0 != "#" }
        return try Broker.process(
            of: port, source: source, version: Detent.version, page: page.map(String.init),
            say: say)
    }
}

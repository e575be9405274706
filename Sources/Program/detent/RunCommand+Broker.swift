import DetentActions
import DetentCommand
import DetentMQTT
import DetentPanel
import DetentPlatform
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
        _ host: borrowing PanelHost, _ board: MQTTBoard?,
        say: @escaping @Sendable (String) -> Void
    ) throws -> ChildProcess {
        let outlet = runners[.mqtt] as? MQTTRunner
        outlet?.report(to: host.intake)
        let actions = host.actions
        outlet?.confirm { actions.confirms($0, $1) == true }
        let inbox = host.inbox
        outlet?.observe { inbox.tellBroker(isOffline: $0, at: $1) }
        if let board { outlet?.show(on: board) }
        if let page {
            let asksForToken = !self.page.tokenFile.isEmpty || page.contains("#")
            let isBounded = ProcessWall.boundsConnections
            ProcessWall.note(pageAsksForToken: asksForToken, isBounded: isBounded).map(say)
        }
        let page = page?.prefix { $0 != "#" }
        return try MQTTProcess.process(
            of: port, source: source, version: ProgramVersion.number, page: page.map(String.init),
            formerTopics: { [panel, stateFolder] in
                Self.formerTopics(before: $0, of: panel, in: stateFolder, say: say)
            },
            outlet: outlet, say: say)
    }

    /// The topics that the panel file had before; without a state folder they are not known.
    private static func formerTopics(
        before topic: String, of panel: String, in folder: String?, say: (String) -> Void
    ) -> [String] {
        guard let folder else { return [] }
        do throws(StateFolderError) {
            return try FormerTopics.note(
                topic, ofFile: AbsolutePath.of(panel), in: SystemStateFolder(folder))
        } catch {
            say(
                "detent: the topic of the panel cannot be \(error.step) in \(folder): "
                    + "\(error.cause); if it changes, the broker keeps what was told there\n"
                    + "help: make the folder writable for the user of detent\n")
            return []
        }
    }
}

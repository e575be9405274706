import CWall
public import DetentPanel
import DetentPlatform
public import DetentRuntime
import DetentTypes
public import DetentWall
import Glibc

/// The process between a broker and a panel.
///
/// As the gateway, it reads what strangers send, has no line, and can ask of its panel only what
/// the page can. It also tells what devices report (`MQTTNote`). Unlike the gateway it opens
/// connections, and reads files: the names of hosts and the certificates. `ChildProcess` starts it,
/// and starts it again.
public enum MQTTProcess {
    /// The argument with which the program becomes this process.
    public static var word: String { "broker" }

    /// Keeps this process running beside a panel.
    ///
    /// - Parameters:
    ///   - port: the panel, whose updates nothing else reads.
    ///   - source: the panel file that was read; the process gets the same bytes.
    ///   - page: the address of the page; nil without one.
    ///   - formerTopics: the topics that the panel file had before it had this one; asked each time
    ///     the process starts.
    ///   - outlet: what sends messages of actions through it, and takes reports of devices.
    ///   - say: prints a message for people; must not wait.
    /// - Throws: `PlatformError` if no descriptor is available.
    public static func process(
        of port: any PanelPort, source: SourceText, version: String, page: String?,
        formerTopics: @escaping @Sendable (_ present: String) -> [String],
        outlet: MQTTRunner?, say: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) -> ChildProcess {
        try ChildProcess(
            word: word, name: "the connection to the broker", port: port, source: source,
            version: version,
            settings: {
                let former = port.plan.broker.map { formerTopics($0.topic) } ?? []
                return Array(([page ?? ""] + former).joined(separator: "\n").utf8)
            },
            rights: { plan in
                ChildRights(origins: [.mqtt], operates: plan.broker?.role == .operate)
            }, task: outlet,
            variables: { port.plan.broker?.variables ?? [] },
            rhythm: WallLimits.brokerHeartbeat, say: say)
    }

    /// Connects a panel with its broker until the panel ends.
    ///
    /// - Parameter say: prints a message for people.
    /// - Throws: `MQTTError` if this process has no panel.
    public static func run(say: @escaping @Sendable (String) -> Void) throws {
        guard let setup = ChildSetup.ofThisProcess else {
            throw MQTTError(
                cause: "`detent \(word)` is a part of `detent run`", remedy: "use `detent run`")
        }
        detent_wall_settle()
        Memory.keepSmall()
        let source = SourceText(file: setup.file, bytes: setup.panel)
        guard var plan = PanelReader.read(source).plan else { return }
        plan.broker?.keepFiles { ProcessWall.kept($0) }
        try ProcessWall.enclose(
            .broker, name: "the connection to the broker",
            reading: plan.broker?.files ?? [], port: plan.broker?.port ?? 0,
            isFirst: setup.generation == 1, say: say)
        let link = ChildLink(Int32(DETENT_WALL_LINK))
        let port = try ChildPort(plan: plan, link: link, posts: true)
        guard link.send(PanelRequest.begin.bytes, waits: true),
            port.receiveMessages(untilServed: true)
        else { return }
        Memory.giveBack()
        // The address of the page, then the former topics.
        var formerTopics = String(decoding: setup.settings, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let page = formerTopics.removeFirst()
        var work = MQTTClientLoop(
            port: port, inlet: MQTTLink(port, link),
            facts: MQTTFacts(
                version: setup.version, page: page.isEmpty ? nil : page,
                formerTopics: formerTopics, generation: setup.generation),
            say: say)
        work.run()
    }
}

import ArgumentParser
import DetentActions
import DetentCommand
import DetentLanguage
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentServer
import DetentSimulator
import DetentTypes
import DetentWorld

/// `detent sim`: a panel without hardware.
struct SimCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sim", abstract: "Try a panel without hardware.",
        discussion: """
            Example:  detent sim panels/lab-supply/panel.yaml

            Prints every event, as JSON lines if standard output is not a terminal.
            Reads gestures from standard input:
            \(GestureTextReader.forms.map { "    " + $0 }.joined(separator: "\n"))
                fail            the next action fails
                takes TIME      actions take this long from now on
                wait TIME       wait before the next line
                quit            end the program
            After the end of the input, it ends when the panel is at rest. An empty
            input, as in a service, does not end it while the page is served.
            The page shows and operates the same panel. When the panel file is saved, the
            changed panel takes over; controls that did not change keep their values.
            Its drawer File changes the panel file itself, unless other machines can reach
            the page, or actions run.
            Actions are simulated unless --run-actions is given.
            """)

    @Argument(help: "The panel file.")
    var panel: String

    @Option(
        help: ArgumentHelp(
            "How contacts bounce: a profile, a file of `detent measure`, none, or typical.",
            valueName: "profile"))
    var bounce = "typical"

    @Option(
        help: "Random seed, at most 18 digits; the same seed gives the same bounces.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How long a simulated action takes.", valueName: "time"))
    var takes = "400ms"

    @Flag(help: "Run the panel's actions as real programs.")
    var runActions = false

    @Flag(help: "Do not let the page show and change the panel file.")
    var noEdit = false

    @Flag(help: "Open the page in a browser.")
    var open = false

    @OptionGroup
    var page: ListenOptions

    @Flag(help: "Show a short tour first: on the page with --open, else in the terminal.")
    var tour = false

    @OptionGroup
    var format: EventOptions

    func validate() throws {
        guard seed < 1_000_000_000_000_000_000 else {
            throw ValidationError("--seed \(seed) has more than 18 digits")
        }
    }

    func run() throws {
        var plan = try PanelFile.plan(panel)
        let options = try page.options()
        plan.callers = options?.callers ?? []
        let start = SimulationOptions(
            plan: plan, file: panel.split(separator: "/").last.map(String.init) ?? panel,
            seed: seed, bounce: try BounceOption.word(bounce),
            takes: try DurationOption.span(takes))
        let log = try TextWriter.log { StandardError.write($0) }
        defer { log.stop(within: RuntimeLimits.writerGrace) }
        let signals = try SignalInbox(say: { log.add($0) })
        // The page shows the tour where it is opened; else the terminal tells it.
        let isOnPage = tour && open && page.isOn
        let story = tour && !isOnPage && format.isText ? TourStory(plan) : nil
        let host = try SimHost(
            start, runners: runActions ? try .builtIn() : nil,
            events: EventFormats(plan, isText: format.isText), story: story, log: log,
            isWatched: page.isOn)
        let reload = try WakeUp()
        let served = try page.serve(
            host.panel, simulation: host.panel, options, file: fileAccess(options, log)
        ) {
            reload.ring()
            return true
        }
        defer { served?.server.stop() }
        let listener = try listenForReloads(host, plan, signal: reload, log) { outcome in
            served?.server.announce(outcome)
        }
        defer { listener.stop() }
        log.add("detent: \(plan.name), simulated; type `press CONTROL`, `help` or `quit`\n")
        if plan.broker != nil {
            log.add("detent: a simulated panel does not connect to its broker\n")
        }
        let address = served.map { Self.address($0.address, hasTour: isOnPage) }
        if let address { log.add("detent: the panel is at \(address)\n") }
        let opened = open ? address.map { openBrowser($0, log) } : nil
        defer { withExtendedLifetime(opened) {} }
        let console = SimConsole(
            panel: host.panel, log: log, playsActions: !runActions,
            isServed: served != nil, story: story)
        _ = try WorkerThread(named: "detent-console") { [tour] in
            if tour, !isOnPage { console.tour(after: .seconds(1)) }
            console.run()
        }
        guard host.run(signals: signals) else { throw ExitStatus.failed }
    }
}

extension SimCommand {
    /// The address of the page, or of the page with its tour.
    private static func address(_ page: String, hasTour: Bool) -> String {
        hasTour ? page + (page.contains("#") ? "&tour" : "#tour") : page
    }

    /// How the page sees and changes the panel file; nil if it does not.
    private func fileAccess(_ options: ServerOptions?, _ log: TextWriter) -> FileAccess? {
        guard let options, !noEdit else { return nil }
        guard !runActions else {
            log.add(
                "detent: the page cannot change the panel file: with --run-actions, a change could "
                    + "run any program\n")
            return nil
        }
        guard options.isLoopback else {
            log.add(
                "detent: the page cannot change the panel file: other machines can reach it\n")
            return nil
        }
        let desk = PanelFileDesk(path: panel)
        return FileAccess { desk.answer($0) }
    }

    /// Opens the page in a browser.
    ///
    /// - Returns: the file that leads there, if the address has a token; the caller keeps it.
    private func openBrowser(_ address: String, _ log: TextWriter) -> BrowserPage? {
        let hasToken = address.contains("#k=") || address.contains("edit=")
        let page = hasToken ? BrowserPage(address) : nil
        let isHidden = page != nil || !hasToken
        if !isHidden || !Browser.open(page?.path ?? address) {
            log.add("detent: cannot open a browser; open the address above\n")
        }
        return page
    }

    /// Reads the panel file again when it is saved and when a page asks. If its folder cannot be
    /// watched, which is logged, only when a page asks.
    private func listenForReloads(
        _ host: SimHost, _ plan: PanelPlan, signal: WakeUp, _ log: TextWriter,
        tell: @escaping @Sendable (PanelReloader.Outcome) -> Void
    ) throws -> ReloadListener {
        let reloader = PanelReloader(
            plan, file: panel, read: { [panel] in PanelReloader.Reading(panel) },
            change: { host.replacePanel($0) },
            words: { errors in LineProblem.grouped(errors).map { ErrorText.lines($0) }.joined() })
        var watch: FileWatch?
        do throws(PlatformError) {
            watch = try FileWatch(panel)
        } catch {
            log.add("detent: the panel file is not followed: \(error.cause)\n")
        }
        return try ReloadListener(
            signal: signal, watch: watch, door: nil, reload: { reloader.reload() },
            tell: { outcome in
                log.add(outcome.text)
                tell(outcome)
            })
    }
}

/// Reads what `--bounce` says.
enum BounceOption {
    static func word(_ name: String) throws -> BounceSelection {
        if name == "typical" { return .typical }
        if name.contains("/") || name.hasSuffix(".yaml") { return .profile(try profile(name)) }
        guard BounceCatalogue.builtIn.names.contains(name) else {
            throw Failure(
                code: .usage, cause: "there is no bounce profile `\(name)`",
                remedy: "one of: none, typical, "
                    + BounceCatalogue.builtIn.names.filter { $0 != "none" }
                    .joined(separator: ", "))
        }
        return .named(name)
    }

    /// A profile in a file, such as `detent measure --profile` writes.
    private static func profile(_ file: String) throws -> BounceProfile {
        guard let source = try? SourceText.read(file: file) else {
            throw Failure(
                code: .usage, cause: "the bounce profile \(file) cannot be read",
                remedy: "give a file that `detent measure --profile` wrote, or the name of a "
                    + "profile")
        }
        let log = ProblemLog(source)
        let profile = YAMLReader.read(source, log: log).flatMap { BounceReader.profile($0, log) }
        if !log.problems.isEmpty { StandardError.write(ProblemRenderer.text(log.problems)) }
        guard let profile, !log.hasErrors else {
            throw Failure(
                code: .usage, cause: "\(file) is not a bounce profile",
                remedy: "fix the problems listed above")
        }
        return profile
    }
}

internal import DetentCore
internal import DetentPanel
internal import DetentPlatform
internal import DetentScenario
internal import DetentTypes
internal import DetentWorld
internal import Glibc

/// The real world of a scenario: `detent run` on simulated chips, with real programs and services.
///
/// Times are those of the scenario: zero is the start of the panel. After a restart they count from
/// the moment at which the panel should have started again.
final class World {
    private let scenario: Scenario
    private var plan: PanelPlan { scenario.plan }
    private let tape: ScenarioTape
    private let poller = Poller()
    private let board: WorldBoard
    private var lines: PhysicalModel
    private let reach: WorldReach
    private var devices: WorldDevices { reach.devices }
    private let client: PanelClient
    private var panel: PanelProcess?
    /// The present life of the panel: when it began, here and in the scenario.
    private var life = (real: Instant.zero, told: Instant.zero)
    /// How long the panel needs until it runs.
    private var starting = TimeSpan.zero
    private static let state = "\(Surroundings.folder)/state"

    /// What the panel has told, with the times of the scenario.
    private(set) var events: [WorldEvent] = []
    /// What it has said of itself.
    private(set) var messages: [String] = []

    init(_ scenario: Scenario, _ tape: ScenarioTape) throws {
        self.scenario = scenario
        self.tape = tape
        board = try WorldBoard(scenario.plan)
        lines = PhysicalModel(
            scenario.plan, seed: scenario.seed, bounce: scenario.bounce.withoutBounce)
        reach = try WorldReach(
            scenario.plan, WorldDevices(scenario.plan, scripts: scenario.actions), poller)
        client = PanelClient(poller)
        reach.now = { [unowned self] in now }
        client.publish = { [unowned self] in reach.publish($0, $1) }
    }

    /// Plays the tape to its end, and a little further.
    func play(goingOnFor rest: TimeSpan) throws {
        defer { board.remove() }
        Self.remove(Self.state)
        var entries = tape.entries[...]
        // What the devices are before the panel starts.
        while let entry = entries.first, entry.at == .zero, case .apply(let stimulus) = entry.deed,
            stimulus.isPreparation
        {
            devices.apply(stimulus, at: .zero)
            entries.removeFirst()
        }
        for place in plan.lines.indices {
            let line = LineID(UInt16(place))
            if let sample = lines.sample(of: line) { board.turn(line, to: sample) }
        }
        try board.watchRequests(poller) { [unowned self] in hold() }
        try start(at: .zero)
        for entry in entries {
            turn(until: entry.at)
            switch entry.deed {
            case .apply(let stimulus): try apply(stimulus)
            case .restart(let pause, let isOrderly):
                try restart(at: entry.at + pause, isOrderly: isOrderly)
            }
        }
        turn(until: tape.end + rest)
        try stop(isOrderly: true)
    }

    private static func remove(_ folder: String) {
        guard let stream = opendir(folder) else { return }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            unlink("\(folder)/\(name)")
        }
        closedir(stream)
    }

    // MARK: The panel

    /// The address of the page, if somebody asks for something there.
    private var page: String {
        let isAsked = tape.entries.contains {
            if case .apply(.tell) = $0.deed { true } else { false }
        }
        return isAsked ? "127.0.0.1:\(PanelClient.port)" : "off"
    }

    private func start(at moment: Instant) throws {
        let begin = MonotonicClock.now
        let panel = try PanelProcess(
            scenario.panelFile,
            ["--state-dir", Self.state, "--listen", page],
            poller: poller)
        self.panel = panel
        while panel.runsSince == nil {
            guard MonotonicClock.now < begin + .seconds(60) else {
                throw Failure("the panel does not run: \(panel.messages.joined(separator: "\n"))")
            }
            poller.wait(until: begin + .seconds(60))
        }
        let real = panel.runsSince ?? begin
        starting = real - begin
        life = (real, moment)
        devices.begin(at: moment)
    }

    /// A request with a bias changes the pull of a line: hands and levers hold it.
    private func hold() {
        for (place, line) in plan.lines.enumerated() where line.isContact && line.channel == nil {
            let level = lines.level(of: LineID(UInt16(place)))
            let isHigh = (level == .active) != line.isActiveLow
            if isHigh != line.isHighWhenOpen { board.pull(LineID(UInt16(place)), isHigh: isHigh) }
        }
    }

    private func stop(isOrderly: Bool) throws {
        guard let panel else { return }
        if isOrderly { try panel.end() } else { try panel.cutPower() }
        events += panel.events.compactMap { WorldEvent($0, since: life.real, told: life.told) }
        messages += panel.messages + reach.takeMessages()
        self.panel = nil
        reach.end()
    }

    private func restart(at moment: Instant, isOrderly: Bool) throws {
        try stop(isOrderly: isOrderly)
        let early = min(starting.nanoseconds, (moment - .zero).nanoseconds)
        turn(until: Instant(nanoseconds: moment.nanoseconds - early))
        try start(at: moment)
    }

    // MARK: Time

    private var now: Instant { life.told + (MonotonicClock.now - life.real) }

    /// Does all that is due until a moment of the scenario.
    private func turn(until moment: Instant) {
        repeat {
            let due = min(moment, min(lines.nextChange, devices.next))
            if due > now { poller.wait(until: life.real + (due - life.told)) }
            let now = now
            lines.advance(to: min(now, moment)) { board.follow($0) }
            devices.act(by: now)
        } while now < moment
        lines.advance(to: moment) { board.follow($0) }
    }

    // MARK: Deeds

    private func apply(_ stimulus: Stimulus) throws {
        switch stimulus {
        case .gestures(let gestures):
            for it in gestures { try lines.apply(it.gesture, at: lines.now) }
            lines.advance(to: lines.now) { board.follow($0) }
        case .tell(let event): try client.tell(event, plan)
        case _: devices.apply(stimulus, at: now)
        }
    }
}

extension Stimulus {
    /// Whether it only says what devices are, so that it can be done before the panel starts.
    fileprivate var isPreparation: Bool {
        switch self {
        case .device, .actions, .failAction, .failNext, .bounce: true
        case .gestures, .tell, .finishAction, .feedback, .report, .silence, .loseFeedback, .broker:
            false
        }
    }
}

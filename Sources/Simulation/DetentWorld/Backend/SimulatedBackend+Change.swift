public import DetentHAL
public import DetentPanel
public import DetentTypes

/// Changing to the lines of another panel.
extension SimulatedBackend {
    /// The next `change` is to the lines of this model. Without it, a change is refused.
    public func expect(_ next: PhysicalModel) { self.next = next }

    /// The next `change` is to the lines of this panel; its parts do not bounce.
    public func expect(_ plan: PanelPlan, _ difference: PanelDifference) {
        expect(
            PhysicalModel(plan, following: world, difference, seed: 1, bounce: .all(.none)))
    }

    /// Changes the lines, as `GPIOBackend.change` says.
    public func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        guard let next else { return [.unexpected(lines.first?.name ?? "")] }
        self.next = nil
        let errors = SimulatedChange.problems(of: lines, self)
        guard errors.isEmpty else { return errors }
        let old = SimulatedChange(self)
        world = next
        resize(to: next.lines.count)
        for settings in lines {
            guard let place = try? pinIndex(of: settings) else { continue }
            pins[place] = old.pin(at: settings.location) ?? SimulatedPin()
            let index = Int(settings.line.index)
            guard let line = former[index], let request = old.requests[Int(line.index)] else {
                requests[index] = SimulatedRequest(settings, place: place)
                begin(index)
                continue
            }
            requests[index] = request.moved(to: settings, place: place)
            keep(index)
        }
        old.passEvents(to: self, former)
        return []
    }
}

/// The lines of a simulated panel before a change.
private struct SimulatedChange {
    let requests: [SimulatedRequest?]
    private let pins: [SimulatedPin]
    private let locations: [LineLocation]
    private var edges: EventQueue
    private var notices: EventQueue

    init(_ backend: SimulatedBackend) {
        requests = backend.requests
        pins = backend.pins
        locations = backend.world.locations
        edges = backend.edges
        notices = backend.notices
    }

    /// Lines of the next panel that cannot be used now.
    static func problems(of lines: [LineSettings], _ backend: SimulatedBackend) -> [HALError] {
        lines.compactMap { settings in
            guard let place = backend.world.locations.firstIndex(of: settings.location) else {
                return nil
            }
            let pin = backend.pins[place]
            let isMissing = backend.requests.contains {
                $0?.place == place && $0?.state == .missing
            }
            if isMissing { return nil }  // it was missing before
            if pin.isAbsent { return .absentChip(settings) }
            return pin.holder.map { .busy(settings, holder: $0) }
        }
    }

    func pin(at location: LineLocation) -> SimulatedPin? {
        locations.firstIndex(of: location).map { pins[$0] }
    }

    /// Gives the waiting events of lines that continue to the changed backend.
    func passEvents(to backend: SimulatedBackend, _ former: [LineID?]) {
        var edges = edges
        var notices = notices
        while let entry = edges.pop() {
            backend.created = max(backend.created, entry.order)
            if let moved = entry.event.moved(former) {
                backend.edges.append(moved, order: entry.order)
            }
        }
        while let entry = notices.pop() {
            backend.created = max(backend.created, entry.order)
            if let moved = entry.event.moved(former) {
                backend.notices.append(moved, order: entry.order)
            }
        }
    }
}

extension LineEvent {
    /// The event of the line that continues its line; nil if none does.
    fileprivate func moved(_ former: [LineID?]) -> LineEvent? {
        former.firstIndex { $0 == line }.map {
            LineEvent(line: LineID(UInt16($0)), kind: kind, at: at)
        }
    }
}

extension SimulatedRequest {
    /// The same request for a line of another panel.
    fileprivate func moved(to settings: LineSettings, place: Int) -> SimulatedRequest {
        var moved = SimulatedRequest(settings, place: place)
        moved.state = state
        moved.sequence = sequence
        moved.losses = losses
        moved.seen = seen
        moved.nextPoll = nextPoll
        moved.wanted = wanted
        moved.strength = strength
        return moved
    }
}

extension HALError {
    fileprivate static func unexpected(_ line: String) -> HALError {
        HALError(
            code: .unsupported, line: line, cause: "the simulated lines cannot change",
            remedy: "restart the panel")
    }
}

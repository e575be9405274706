public import DetentCore
public import DetentPanel
public import DetentTrace
public import DetentTypes

/// Writes what a panel does as a trace in VCD, which GTKWave, Surfer and sigrok-cli read.
///
/// Each control is a scope. It has a wire for the electrical level of each line, with the name of
/// the line, so that the trace can be replayed. It has a wire `NAME_contact` for each contact after
/// debounce, and the texts `value`, `phase` and `indicator` if the control has them. The value of a
/// dial is a number.
///
/// Call it in the order of time; an earlier moment counts as the latest so far. Do not call it on
/// the real-time thread: it allocates and writes to a file.
public struct PanelTrace<Output: TraceOutput & ~Copyable>: ~Copyable {
    private let plan: PanelPlan
    private let layout: TraceLayout
    private let origin: Instant
    private var writer: VCDWriter<Output>

    /// Writes the declarations.
    ///
    /// - Parameter origin: the moment that is 0 in the trace; earlier moments count as 0.
    /// - Throws: `TraceError`, also if the panel has more signals than `TraceLimits.lines`.
    public init(
        _ plan: PanelPlan, to output: consuming Output, from origin: Instant = .zero
    ) throws(TraceError) {
        // This comes before the first property is set: the compiler of Swift 6.2 cannot destroy a
        // noncopyable value that is partly initialized.
        let layout = TraceLayout(plan)
        let writer = try VCDWriter(output, signals: layout.signals)
        self.plan = plan
        self.origin = origin
        self.layout = layout
        self.writer = writer
    }

    /// The panel starts: every lamp and output is inactive.
    public mutating func start(at moment: Instant) throws(TraceError) {
        for place in plan.lines.indices where !plan.lines[place].isContact {
            try line(LineID(UInt16(place)), .inactive, at: moment)
        }
    }

    /// The panel has ended: its state is unknown until it starts again.
    public mutating func end(at moment: Instant) throws(TraceError) {
        for signal in layout.signals.indices { try write(signal, .unknown, at: moment) }
    }

    /// A line has a new level, after polarity: a contact before debounce, a lamp or an output.
    public mutating func line(
        _ line: LineID, _ level: Level, at moment: Instant
    ) throws(TraceError) {
        let place = Int(line.index)
        guard plan.lines.indices.contains(place) else { return }
        let isHigh = (level == .active) != plan.lines[place].isActiveLow
        try write(layout.lines[place], .bit(isHigh), at: moment)
    }

    /// A contact is closed or open, after debounce.
    public mutating func contact(
        _ line: LineID, _ level: Level, at moment: Instant
    ) throws(TraceError) {
        guard layout.contacts.indices.contains(Int(line.index)) else { return }
        try write(layout.contacts[Int(line.index)], .bit(level == .active), at: moment)
    }

    /// A control has a new state: contacts, value, phase and indicator.
    public mutating func control(
        _ control: ControlID, _ state: ControlSnapshot, at moment: Instant
    ) throws(TraceError) {
        let place = Int(control.index)
        guard plan.controls.indices.contains(place) else { return }
        let contacts = plan.controls[place].settings.contacts
        for offset in 0..<contacts.count {
            let isClosed = state.closedContacts & 1 << UInt32(offset) != 0
            try contact(LineID(contacts.first + offset), Level(isClosed), at: moment)
        }
        try show(state.desired, of: place, at: moment)
        try write(layout.controls[place].phase, .text(state.phase.word), at: moment)
        try write(layout.controls[place].indicator, .text(state.pattern.word), at: moment)
    }

    /// A control reports. Reports that do not change the value, phase or indicator are ignored.
    public mutating func report(_ report: Report, at moment: Instant) throws(TraceError) {
        let place = Int(report.control.index)
        guard plan.controls.indices.contains(place) else { return }
        let signals = layout.controls[place]
        switch report.kind {
        case .changed(let value, _): try show(value, of: place, at: moment)
        case .phase(let phase, _): try write(signals.phase, .text(phase.word), at: moment)
        case .indicator(let pattern):
            try write(signals.indicator, .text(pattern.word), at: moment)
        default: break
        }
    }

    /// Writes what is buffered, for a reader that follows the file.
    public mutating func flush() throws(TraceError) { try writer.flush() }

    /// Ends the trace at a moment and returns the output.
    public consuming func finish(at moment: Instant) throws(TraceError) -> Output {
        try writer.advance(to: .zero + (moment - origin))
        return try writer.finish()
    }

    private mutating func show(
        _ value: Value, of control: Int, at moment: Instant
    ) throws(TraceError) {
        let names = plan.controls[control].valueNames
        let level: VCDWriter<Output>.Level =
            if value == .unknown {
                .unknown
            } else if case .number(let decimals) = names {
                .number(Self.number(value, decimals: decimals))
            } else {
                .text(names.name(of: value))
            }
        try write(layout.controls[control].value, level, at: moment)
    }

    private static func number(_ value: Value, decimals: Int) -> Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return Double(value.raw) / scale
    }

    private mutating func write(
        _ signal: Int?, _ level: VCDWriter<Output>.Level, at moment: Instant
    ) throws(TraceError) {
        guard let signal else { return }
        try writer.write(signal, level, at: .zero + (moment - origin))
    }
}

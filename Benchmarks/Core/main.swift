import DetentCore
import DetentTypes
import Glibc
import Recording

// Passes recorded edges to the engine. The C floor's counterpart is Floor/core-run.c.
//
//     core CONTROLS EDGES [log | dimmed | ruled]
//
// `dimmed` dims eight lamps; `ruled` uses a panel with every rule instead.

/// The state after the effects; the same as that of the floor.
struct Host {
    var effects: UInt64 = 0
    var asked = UnsafeMutablePointer<UInt32>.allocate(capacity: 64)
    var askedCount: UInt32 = 0
    let logs: Bool

    mutating func take(_ effect: Effect, at moment: Instant) {
        effects &+= 1
        if case .readLevel(let line) = effect {
            asked[Int(askedCount % 64)] = UInt32(line.index)
            askedCount &+= 1
        }
        if logs { log(effect, at: moment) }
    }
}

/// Writes an effect in the format of the floor.
@inline(never)
func log(_ effect: Effect, at moment: Instant) {
    let at = moment.nanoseconds
    switch effect {
    case .readLevel(let line):
        log_effect(at, CInt(LOGGED_READ_LEVEL), CUnsignedInt(line.index), 0)
    case .indicate(let line, let level):
        log_effect(
            at, CInt(LOGGED_INDICATE), CUnsignedInt(line.index), CInt(level.rawValue))
    case .report(let report):
        let (kind, value) = words(report.kind)
        log_effect(at, CInt(kind), CUnsignedInt(report.control.index), value)
    case .adjust, .drive, .provide, .start, .cancel, .answer:
        log_effect(at, CInt(LOGGED_OTHER), 0, 0)
    }
}

func words(_ kind: Report.Kind) -> (Int, CInt) {
    switch kind {
    case .pressed: (LOGGED_PRESSED, 0)
    case .released: (LOGGED_RELEASED, 0)
    case .clicked: (LOGGED_CLICKED, 0)
    case .moved(let position): (LOGGED_MOVED, position.raw)
    case .changed(let value, _): (LOGGED_CHANGED, value.raw)
    case .confirmed(let value): (LOGGED_CONFIRMED, value.raw)
    case .indicator(.off): (LOGGED_PATTERN, 0)
    case .indicator(.steady): (LOGGED_PATTERN, 1)
    case .lost(let count): (LOGGED_LOST, CInt(truncatingIfNeeded: count))
    case .doubleClicked, .multiClicked, .held, .repeated, .stepped, .invalid, .phase, .flag,
        .refused, .armed, .progress, .indicator, .output, .fault, .buttonPressed, .buttonReleased,
        .opened, .closed, .focused, .chosen, .staged, .lampTest, .reload:
        (LOGGED_OTHER, 0)
    }
}

/// The panel that Recording.h describes.
func makeEngine(
    controls: Int, dimmed: Int, _ storage: UnsafeMutableRawBufferPointer
) throws -> Engine {
    var engine = Engine(capacity: capacity(controls), storage: storage)
    for control in 0..<controls {
        _ = try engine.addLine(debounce(recorded_control(CInt(control))))
    }
    for _ in 0..<controls { _ = try engine.addLine() }
    for control in 0..<controls {
        let isLever = recorded_control(CInt(control)).algorithm == CInt(RECORDED_DEFER)
        _ = try engine.addControl(
            ControlSettings(
                nature: isLever ? .onOff(latch: .toggle) : .onOff(latch: .toggle),
                contacts: PlanRange(first: UInt16(control), count: 1),
                decoder: isLever ? .lever : .button(ButtonSettings()),
                indicator: IndicatorSettings(
                    lines: PlanRange(first: UInt16(controls + control), count: 1),
                    brightness: control < dimmed ? 40 : 100)))
    }
    return engine
}

func capacity(_ controls: Int) -> Capacity {
    Capacity(lines: 2 * controls, controls: controls, actions: 0)
}

func debounce(_ recorded: recorded_control) -> DebounceSettings {
    let time = TimeSpan(nanoseconds: recorded.time)
    let algorithm: DebounceSettings.Algorithm =
        switch Int(recorded.algorithm) {
        case RECORDED_EAGER: .eager(time: time, window: .restart)
        case RECORDED_DEFER: .defer(time: time)
        default:
            .asymmetric(press: time, release: TimeSpan(nanoseconds: recorded.release))
        }
    return DebounceSettings(
        algorithm: algorithm, glitch: TimeSpan(nanoseconds: recorded.glitch))
}

func run(controls: Int, edgeCount: Int, dimmed: Int, logs: Bool) throws {
    guard let edges = recorded_edges(CInt(controls)) else { exit(1) }
    let storage = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Engine.byteCount(for: capacity(controls)), alignment: 16)
    var engine = try makeEngine(controls: controls, dimmed: dimmed, storage)
    let levels = UnsafeMutablePointer<UInt8>.allocate(capacity: controls)
    levels.initialize(repeating: 0, count: controls)
    var host = Host(logs: logs)
    engine.handle(.start, at: .zero) { effect, at in host.take(effect, at: at) }
    let began = wall_clock()
    for index in 0..<edgeCount {
        let edge = edges[index]
        let now = Instant(nanoseconds: edge.at)
        levels[Int(edge.line)] = edge.level
        engine.handle(
            .edge(LineID(edge.line), Level(edge.level != 0), sequence: edge.sequence), at: now
        ) { effect, at in host.take(effect, at: at) }
        var answer: UInt32 = 0
        while answer < host.askedCount {
            let line = host.asked[Int(answer % 64)]
            engine.handle(
                .reading(LineID(UInt16(line)), Level(levels[Int(line)] != 0)), at: now
            ) { effect, at in host.take(effect, at: at) }
            answer &+= 1
        }
        host.askedCount = 0
    }
    let ended = wall_clock()
    let last = Instant(nanoseconds: edges[edgeCount - 1].at) + .seconds(1)
    engine.handle(.tick, at: last) { effect, at in host.take(effect, at: at) }
    tell_figures(host.effects, ended - began, CInt(edgeCount))
}

guard CommandLine.argc >= 3, let controls = Int(CommandLine.arguments[1]),
    let edgeCount = Int(CommandLine.arguments[2]), controls > 0, edgeCount > 0,
    edgeCount <= Int(RECORDED_EDGES)
else {
    tell_usage("core CONTROLS EDGES [log | dimmed | ruled]")
    exit(2)
}
let choice = CommandLine.argc > 3 ? CommandLine.arguments[3] : ""
if choice == "ruled" {
    var panel = try RuledPanel()
    panel.run(events: edgeCount)
    exit(0)
}
try run(
    controls: controls, edgeCount: edgeCount, dimmed: choice == "dimmed" ? 8 : 0,
    logs: choice == "log")

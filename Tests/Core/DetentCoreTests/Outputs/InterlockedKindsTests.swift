import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Every kind that may have several outputs, asked for one after another at every offset around the
/// dead time, with slow writes, with a process that oversleeps, and with a sequence's pulses on
/// another line in between.
@Suite struct InterlockedKindsTests {
    enum Kind: CaseIterable {
        case selector, buttonRow, threeWay, remoteRadio, severalAtOnce, dial, twoStates
    }

    private static let deadTime = 50
    private static let offsets = [0, 10, 50, 120]
    private static let latencies = [[0, 0], [7, 0], [0, 130], [130, 7], [130, 130]]

    /// A panel with one control (0) over outputs 0 to 2, and one (1) that pulses line 3.
    private struct Wiring {
        let kind: Kind
        let bench: Bench
        let latencies: [Int]
        let oversleeps: Bool
        var now = 0
        var writes: [(at: Int, line: UInt16, level: Level)] = []
        var told = 0
        var position = 0
        var perhapsOn: UInt32 = 0
        var wanted: UInt32 = 0
        var lastOff = 0
        var faults: [String] = []
        var ons = 0
        var pulses = 0

        init(_ kind: Kind, latencies: [Int], oversleeps: Bool, transition: OutputTransition) {
            self.kind = kind
            self.latencies = latencies
            self.oversleeps = oversleeps
            var panel = RuledPanel()
            let outputs = panel.lines(3)
            let pulsed = panel.lines(1)
            let contacts = panel.lines(3, DebounceSettings.none)
            var settings = InterlockedKindsTests.settings(kind)
            settings.contacts = PlanRange(
                first: contacts.first, count: kind == .threeWay ? 2 : 3)
            if settings.decoder == .none { settings.contacts = .none }
            settings.outputs = outputs
            settings.outputsPresent = 0b111
            if kind == .twoStates {
                settings.outputs.count = 2
                settings.outputsPresent = 0b11
            }
            settings.transition = transition
            _ = panel.add(settings)
            _ = panel.add(
                ControlSettings(
                    nature: .button,
                    actions: .any(
                        panel.action(
                            ActionSettings(supersede: .cancel),
                            steps: [.pulse(LineID(3), .milliseconds(7))])),
                    stepOutputs: pulsed))
            bench = panel.bench()
            // A three-way lever rests in the middle.
            position = kind == .threeWay ? 1 : 0
            wanted = InterlockedKindsTests.outputs(kind, position)
            send(.start)
            if kind == .selector { edge(0, true) }
        }

        mutating func send(_ event: Event) {
            for (effect, _) in bench.raw(event, at: Instant(millisecond: now)) {
                guard case .drive(let line, let level) = effect else { continue }
                let latency = latencies[told % latencies.count]
                told += 1
                writes.append((now + latency, line.index, level))
                if line.index == 3 {
                    pulses += 1
                } else if level == .active {
                    note(on: 1 << UInt32(line.index))
                }
            }
        }

        private mutating func note(on output: UInt32) {
            ons += 1
            perhapsOn |= output
            if perhapsOn & ~wanted != 0 { faults.append("\(perhapsOn) on at \(now)") }
            if now < lastOff + InterlockedKindsTests.deadTime {
                faults.append("on \(now - lastOff) ms after the last off")
            }
        }

        mutating func edge(_ contact: UInt16, _ isClosed: Bool) {
            send(.edge(LineID(4 + contact), Level(isClosed), sequence: 0))
        }

        mutating func run(until end: Int) {
            while true {
                let write = writes.indices.min { writes[$0].at < writes[$1].at }
                let due = bench.nextDeadline
                let deadline =
                    due == .never || oversleeps ? Int.max : Int(due.nanoseconds / 1_000_000)
                let next = min(write.map { writes[$0].at } ?? .max, deadline)
                guard next <= end else { break }
                now = max(now, next)
                guard let write, writes[write].at <= now else {
                    send(.tick)
                    continue
                }
                let done = writes.remove(at: write)
                if done.line < 3, done.level == .inactive {
                    perhapsOn &= ~(1 << UInt32(done.line))
                    lastOff = now
                }
                send(.outputWritten(LineID(done.line), done.level))
            }
            now = max(now, end)
        }

        /// Brings the control to its option of this number, by hand where it has hands.
        mutating func request(_ option: Int, after offset: Int) {
            run(until: now + offset)
            send(.fire(ControlID(1), .on, .web, isConfirmed: false))
            // What follows from time alone has its own moment, before the request.
            wanted = InterlockedKindsTests.outputs(kind, option)
            switch kind {
            case .selector:
                if option != position {
                    edge(UInt16(position), false)
                    edge(UInt16(option), true)
                }
            case .threeWay:
                if position == 0 { edge(0, false) }
                if position == 2 { edge(1, false) }
                if option == 0 { edge(0, true) }
                if option == 2 { edge(1, true) }
            case .buttonRow:
                edge(UInt16(option), true)
                edge(UInt16(option), false)
            case .remoteRadio, .dial:
                send(.intent(ControlID(0), Value(Int32(option)), .web))
            case .twoStates:
                send(.intent(ControlID(0), Value(Int32(option % 2)), .web))
            case .severalAtOnce:
                send(.intent(ControlID(0), Value(Int32(wanted)), .web))
            }
            position = option
        }
    }

    private static func settings(_ kind: Kind) -> ControlSettings {
        switch kind {
        case .selector:
            ControlSettings(
                nature: .choice(of: 3),
                decoder: .selector(SelectorSettings(settle: .zero, positions: 3)))
        case .buttonRow: ControlSettings(nature: .choice(of: 3), decoder: .buttonRow)
        case .threeWay:
            ControlSettings(
                nature: .threeWay,
                decoder: .selector(
                    SelectorSettings(settle: .zero, positions: 3, nonePosition: 1)),
                startup: StartupSettings(rule: .panel))
        case .remoteRadio: ControlSettings(nature: .choice(of: 3))
        case .severalAtOnce: ControlSettings(nature: .selection(of: 3, minimum: 0, maximum: 3))
        case .dial: ControlSettings(nature: .dial(NumberRange(minimum: 0, maximum: 2)))
        case .twoStates: ControlSettings(nature: .onOff(latch: .toggle))
        }
    }

    /// The outputs of an option, a bit for each.
    private static func outputs(_ kind: Kind, _ option: Int) -> UInt32 {
        switch kind {
        case .severalAtOnce: [0b001, 0b110, 0b011][option]
        case .twoStates: 1 << UInt32(option % 2)
        case .selector, .buttonRow, .threeWay, .remoteRadio, .dial: 1 << UInt32(option)
        }
    }

    @Test(arguments: Kind.allCases, [false, true])
    func neverTwoOnAndNeverTooSoon(kind: Kind, oversleeps: Bool) {
        var checked = 0
        let pauseCases = TestLength.some(of: Array(0..<16), every: 7)
        for latencies in Self.latencies {
            for options in 0..<27 {
                for pauses in pauseCases {
                    var wiring = Wiring(
                        kind, latencies: latencies, oversleeps: oversleeps,
                        transition: .breakBeforeMake(deadTime: .milliseconds(50)))
                    let order = [options / 9, options / 3 % 3, options % 3]
                    wiring.request(order[0], after: 60)
                    wiring.request(order[1], after: Self.offsets[pauses / 4])
                    wiring.request(order[2], after: Self.offsets[pauses % 4])
                    for _ in 0..<8 {
                        wiring.run(until: wiring.now + 300)
                        wiring.send(.tick)
                    }
                    checked += 1
                    let isRight =
                        wiring.faults.isEmpty && wiring.perhapsOn == wiring.wanted
                        && wiring.ons > 0 && wiring.pulses > 0
                    guard isRight else {
                        Issue.record(
                            """
                            \(kind) \(order) pauses \(pauses) writes \(latencies): \
                            \(wiring.faults), left \(wiring.perhapsOn)
                            """)
                        return
                    }
                }
            }
        }
        expectEqual(checked, 5 * 27 * pauseCases.count)
    }

    /// The checks above are able to fail.
    @Test func outputsWithoutInterlockAreCaught() {
        for kind in Kind.allCases {
            var wiring = Wiring(kind, latencies: [7, 7], oversleeps: false, transition: .none)
            wiring.request(0, after: 120)
            wiring.request(1, after: 120)
            wiring.run(until: 1_000)
            #expect(!wiring.faults.isEmpty, "\(kind)")
        }
    }
}

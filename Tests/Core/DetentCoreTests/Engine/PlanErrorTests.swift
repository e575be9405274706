import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Every bound of the engine and every error of its plan.
@Suite struct PlanErrorTests {
    /// The error of adding `control` behind two contact lines, two plain lines, one action and a
    /// control that owns line 0.
    static func error(adding control: ControlSettings) -> EngineError? {
        let capacity = Capacity(lines: 40, controls: 2, actions: 1)
        let storage = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Engine.byteCount(for: capacity), alignment: 16)
        defer { storage.deallocate() }
        var engine = Engine(capacity: capacity, storage: storage)
        do throws(EngineError) {
            for _ in 0..<40 { _ = try engine.addLine() }
            _ = try engine.addAction(ActionSettings())
            _ = try engine.addControl(
                ControlSettings(
                    nature: .button, contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()),
                    indicator: IndicatorSettings(lines: PlanRange(first: 1, count: 1))))
            _ = try engine.addControl(control)
            return nil
        } catch {
            return error
        }
    }

    static func lines(_ first: UInt16, _ count: UInt16) -> PlanRange {
        PlanRange(first: first, count: count)
    }

    @Test func linesOfAControl() {
        func contacts(_ range: PlanRange) -> EngineError? {
            Self.error(
                adding: ControlSettings(
                    nature: .choice(of: 2), contacts: range,
                    decoder: .selector(SelectorSettings(positions: 2))))
        }
        #expect(contacts(Self.lines(2, 2)) == nil)
        #expect(contacts(Self.lines(2, 32)) == nil)
        expectEqual(contacts(Self.lines(2, 33)), .outOfRange)
        expectEqual(contacts(Self.lines(39, 2)), .noSuchLine)
        expectEqual(contacts(Self.lines(65_535, 1)), .noSuchLine)
        expectEqual(contacts(Self.lines(0, 1)), .noSuchLine, "a contact of another control")
        expectEqual(contacts(Self.lines(1, 1)), .noSuchLine, "a lamp of another control")
    }

    @Test func lampsAndOutputsAreNoContacts() {
        func driving(_ range: PlanRange, contacts: PlanRange = .none) -> [EngineError?] {
            [
                Self.error(
                    adding: ControlSettings(
                        nature: .onOff(latch: .toggle), contacts: contacts,
                        indicator: IndicatorSettings(lines: range))),
                Self.error(
                    adding: ControlSettings(
                        nature: .onOff(latch: .toggle), contacts: contacts, outputs: range,
                        outputsPresent: range.count > 31
                            ? .max : 1 << UInt32(range.count) - 1)),
            ]
        }
        expectEqual(driving(Self.lines(5, 3)), [nil, nil])
        expectEqual(driving(Self.lines(0, 1)), [.noSuchLine, .noSuchLine])
        expectEqual(
            driving(Self.lines(5, 1), contacts: Self.lines(5, 1)), [.noSuchLine, .noSuchLine])
        expectEqual(driving(Self.lines(2, 33)), [.outOfRange, .outOfRange])
        expectEqual(driving(Self.lines(39, 2)), [.noSuchLine, .noSuchLine])
    }

    @Test func actionsOfAControl() {
        func mapped(_ map: ActionMap) -> EngineError? {
            Self.error(adding: ControlSettings(nature: .onOff(latch: .toggle), actions: map))
        }
        #expect(mapped(.any(ActionID(0))) == nil)
        expectEqual(mapped(.any(ActionID(1))), .noSuchAction)
        #expect(mapped(.perValue(first: ActionID(0), present: 0b10)) == nil)
        expectEqual(mapped(.perValue(first: ActionID(0), present: 0b11)), .noSuchAction)
        #expect(mapped(.perValue(first: ActionID(1), present: 0)) == nil)
    }

    @Test func numbersOutOfRange() {
        func of(_ kind: ControlNature, _ decoder: DecoderSettings = .none) -> EngineError? {
            Self.error(adding: ControlSettings(nature: kind, decoder: decoder))
        }
        let radio = ControlNature.choice(of: 24)
        #expect(of(radio, .selector(SelectorSettings(positions: 24))) == nil)
        expectEqual(of(radio, .selector(SelectorSettings(positions: 25))), .outOfRange)
        for transitions in 0..<10 as Range<UInt8> {
            let expected: EngineError? = [1, 2, 4].contains(transitions) ? nil : .outOfRange
            expectEqual(
                of(radio, .encoder(EncoderSettings(transitions: transitions))), expected)
        }
        #expect(of(.dial(NumberRange(minimum: 3, maximum: 3))) == nil)
        expectEqual(of(.dial(NumberRange(minimum: 4, maximum: 3))), .outOfRange)
        expectEqual(of(.dial(NumberRange(minimum: .min, maximum: 3))), .outOfRange)
        expectEqual(of(.dial(NumberRange(minimum: 0, maximum: 3, step: 0))), .outOfRange)
    }

    @Test func capacityIsFixed() {
        let capacity = Capacity(lines: 1, controls: 1, actions: 1)
        let storage = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Engine.byteCount(for: capacity), alignment: 16)
        defer { storage.deallocate() }
        var engine = Engine(capacity: capacity, storage: storage)
        var errors: [EngineError] = []
        for _ in 0..<2 {
            do throws(EngineError) { _ = try engine.addLine() } catch { errors.append(error) }
            do throws(EngineError) { _ = try engine.addAction(ActionSettings()) } catch {
                errors.append(error)
            }
            do throws(EngineError) {
                _ = try engine.addControl(ControlSettings(nature: .button))
            } catch { errors.append(error) }
        }
        expectEqual(errors, [.capacityExceeded, .capacityExceeded, .capacityExceeded])
    }

    @Test func anIntegratorNeedsSamplesAndADistance() {
        let capacity = Capacity(lines: 2, controls: 0, actions: 0)
        let storage = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Engine.byteCount(for: capacity), alignment: 16)
        defer { storage.deallocate() }
        var engine = Engine(capacity: capacity, storage: storage)
        for algorithm in [
            DebounceSettings.Algorithm.integrator(sample: .zero, samples: 3),
            .integrator(sample: .milliseconds(1), samples: 0),
        ] {
            var caught: EngineError?
            do throws(EngineError) {
                _ = try engine.addLine(DebounceSettings(algorithm: algorithm))
            } catch {
                caught = error
            }
            expectEqual(caught, .outOfRange)
        }
    }

    /// A buffer of just the bytes that are asked for is enough at every alignment of its start.
    @Test func byteCountIsEnoughWhereverTheBufferBegins() {
        for offset in 0..<16 {
            let capacity = Capacity(lines: 3, controls: 5, actions: 7)
            let count = Engine.byteCount(for: capacity)
            let whole = UnsafeMutableRawBufferPointer.allocate(
                byteCount: count + offset, alignment: 16)
            defer { whole.deallocate() }
            let engine = Engine(
                capacity: capacity,
                storage: UnsafeMutableRawBufferPointer(rebasing: whole[offset...]))
            expectEqual(engine.nextDeadline, .never)
        }
    }

    @Test func anEmptyPanelRuns() {
        let bench = Bench(controls: [])
        expectEqual(bench.send(.start, 0) + bench.send(.resync(), 1) + bench.send(.tick, 2), [])
    }
}

import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// The text in which values outlive a restart, and when it is written.
@Suite struct SavedFileTests {
    static let controls = """
        a: {kind: toggle-button, label: A, input: A},
        b: {kind: radio-group, label: B, selector: [B, C], options: ["2 V: low", "20 V"]},
        c: {kind: dial, label: C, encoder: {a: D, b: E}, range: {min: -1, max: 9.5, step: 0.5}},
        d: {kind: button, label: D, input: F},
        e: {kind: switch, label: E, input: G},
        f: {kind: toggle-button, label: F, input: H, startup: on}
        """

    static func plan(_ name: String = "Lab", _ controls: String = controls) throws -> PanelPlan {
        let reading = PanelReader.read(
            SourceText(
                file: "p.yaml", text: "{panel: \"\(name)\", board: none, controls: {\(controls)}}"))
        return try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
    }

    static func value(_ control: UInt16, _ raw: Int32) -> SavedValue {
        SavedValue(control: ControlID(control), value: Value(raw))
    }

    @Test func whatIsWrittenIsRead() throws {
        let plan = try Self.plan()
        let bytes = SavedFile.bytes([.on, Value(0), Value(-5), nil, nil, nil], of: plan)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("detent-state 1\npanel: Lab\na: on\nb: 2 V: low\nc: -0.5\nsum: "))
        let reading = try SavedFile.read(bytes, of: plan)
        expectEqual(reading.values, [Self.value(0, 1), Self.value(1, 0), Self.value(2, -5)])
        expectEqual(reading.notes, [])
    }

    @Test func aValueWithoutAWordIsLeftOut() throws {
        let plan = try Self.plan()
        expectEqual(
            SavedFile.bytes([.mixed, Value(7), .unknown], of: plan),
            SavedFile.bytes([nil, nil, nil], of: plan))
    }

    @Test func controlsAreFoundByNameAndLostOnesAreForgotten() throws {
        let bytes = SavedFile.bytes([.on, Value(1), Value(4), nil, nil, nil], of: try Self.plan())
        let changed = try Self.plan(
            "Lab",
            """
            c: {kind: dial, label: C, encoder: {a: D, b: E}, range: {min: 1, max: 9, step: 0.5}},
            b: {kind: radio-group, label: B, selector: [B, C], options: [low, "20 V"]}
            """)
        let reading = try SavedFile.read(bytes, of: changed)
        expectEqual(reading.values, [Self.value(1, 1), Self.value(0, 10)])
        expectEqual(reading.notes, ["`0.4` is no longer a value of `c`: it starts with `1.0`"])
    }

    /// Every file that is cut off, and every one with a bit turned over, is known as none.
    @Test func nothingDamagedIsTaken() throws {
        let plan = try Self.plan()
        let bytes = SavedFile.bytes([.on, Value(1), Value(4), nil, nil, nil], of: plan)
        for count in 0..<bytes.count {
            #expect(throws: SavedFile.Foreign.self) {
                try SavedFile.read(Array(bytes[..<count]), of: plan)
            }
        }
        for place in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << UInt8(bit)
                #expect(throws: SavedFile.Foreign.self, "byte \(place), bit \(bit)") {
                    try SavedFile.read(damaged, of: plan)
                }
            }
        }
    }

    @Test func foreignFilesSayWhy() throws {
        let plan = try Self.plan()
        func cause(_ bytes: [UInt8]) -> String {
            do throws(SavedFile.Foreign) {
                _ = try SavedFile.read(bytes, of: plan)
                return ""
            } catch {
                return error.cause
            }
        }
        expectEqual(cause([]), "is empty")
        expectEqual(cause(Array("hello".utf8)), "does not end with a checksum")
        #expect(cause(Array("a\nb\n".utf8)).contains("does not match its checksum"))
        let other = SavedFile.bytes([.on], of: try Self.plan("Other"))
        expectEqual(cause(other), "belongs to a panel other than `Lab`")
    }

    @Test func twoPanelsHaveTwoFiles() throws {
        expectEqual(SavedFile.name(of: try Self.plan("Lab Supply")), "Lab%20Supply.state")
        expectEqual(SavedFile.name(of: try Self.plan("../etc/x")), "%2e%2e%2fetc%2fx.state")
        let long = String(repeating: "ü", count: 150)
        let first = SavedFile.name(of: try Self.plan(long + "1"))
        #expect(first != SavedFile.name(of: try Self.plan(long + "2")))
        #expect(first.utf8.count < 240)
    }

    private func change(_ control: UInt16, _ raw: Int32) -> Report {
        Report(control: ControlID(control), kind: .changed(Value(raw), .panel))
    }

    @Test func onlyWhatCanMatterIsKept() throws {
        let plan = try Self.plan()
        expectEqual(plan.controls.map(\.isKept), [true, true, true, false, false, false])
        var journal = StateJournal(plan)
        let confirmed = Report(control: ControlID(0), kind: .confirmed(.on))
        for report in [change(4, 1), change(9, 1), confirmed] {
            let isDue = journal.note(report, at: .zero)
            #expect(!isDue)
        }
        expectEqual(journal.deadline, .never)
    }

    @Test func itIsWrittenOnceASecondAndNotForNothing() throws {
        var journal = StateJournal(try Self.plan())
        let start = Instant.zero + .seconds(10)
        var isDue = journal.note(change(0, 1), at: start)
        #expect(isDue)
        #expect(journal.deadline <= start, "the first at once")
        journal.ended(journal.values, isWritten: true, at: start)
        #expect(journal.deadline == .never && journal.saved == [Self.value(0, 1)])
        isDue = journal.note(change(0, 0), at: start + .milliseconds(1))
        #expect(isDue)
        expectEqual(journal.deadline, start + .seconds(1))
        isDue = journal.note(change(0, 1), at: start + .milliseconds(2))
        #expect(!isDue, "as it was written")
        expectEqual(journal.deadline, .never)
    }

    @Test func aChangeDuringAWriteIsNotForgotten() throws {
        var journal = StateJournal(try Self.plan())
        _ = journal.note(change(0, 1), at: .zero)
        let values = journal.values
        _ = journal.note(change(2, 3), at: .zero)
        journal.ended(values, isWritten: true, at: .zero)
        #expect(journal.isDirty && journal.deadline == .zero + .seconds(1))
    }

    @Test func aFailureIsTriedAgainAfterAMinute() throws {
        var journal = StateJournal(try Self.plan())
        _ = journal.note(change(0, 1), at: .zero)
        journal.ended(journal.values, isWritten: false, at: .zero)
        #expect(journal.deadline == .zero + .seconds(60) && journal.saved == [])
    }

    /// A journal of virtual time writes what is due, at the moment at which it is due.
    @Test func virtualWritesAreDueAtTheirTime() throws {
        let plan = try Self.plan()
        var journal = StateJournal(plan, saved: [Self.value(0, 1), Self.value(99, 1)])
        expectEqual(journal.saved, [Self.value(0, 1)])
        let start = Instant.zero + .seconds(10)
        _ = journal.note(change(0, 0), at: start)
        journal.writeDue(by: start)
        #expect(journal.saved == [Self.value(0, 0)] && journal.deadline == .never)
        _ = journal.note(change(0, 1), at: start + .milliseconds(1))
        expectEqual(journal.deadline, start + .seconds(1))
        journal.writeDue(by: start + .milliseconds(999))
        #expect(journal.isDirty)
        journal.writeDue(by: start + .seconds(1))
        #expect(!journal.isDirty)
        _ = journal.note(change(0, 0), at: start + .milliseconds(1_500))
        expectEqual(journal.deadline, start + .seconds(2))
        journal.writeAll()
        #expect(!journal.isDirty && journal.saved == [Self.value(0, 0)])
    }
}

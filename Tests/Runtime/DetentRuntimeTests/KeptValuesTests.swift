import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// Values in memory that survives the process, and the file that the guardian makes of them.
@Suite struct KeptValuesTests {
    private static func plan(_ more: String = "") throws -> PanelPlan {
        let reading = PanelReader.read(
            SourceText(
                file: "p.yaml",
                text: """
                    panel: P
                    board: none
                    controls:
                      a: {kind: toggle-button, label: A, input: A, startup: saved}
                      b:
                        kind: dial
                        label: B
                        encoder: {a: B, b: C}
                        range: {min: 0, max: 99}
                        startup: saved
                      c: {kind: toggle-button, label: C, input: D, startup: off}
                    \(more)
                    """))
        return try #require(reading.plan)
    }

    /// What the guardian writes of the words of a panel.
    private static func file(_ kept: KeptValues, _ words: [UInt64]) -> [UInt8] {
        var bytes = Array("detentk1".utf8)
        for word in [kept.identity, UInt64(words.count)] + words {
            withUnsafeBytes(of: word) { bytes += $0 }
        }
        return bytes
    }

    private static func value(_ control: UInt16, _ raw: Int32) -> SavedValue {
        SavedValue(control: ControlID(control), value: Value(raw))
    }

    /// The file of a panel that began with saved values and made changes.
    private static func file(
        _ plan: PanelPlan, saved: [SavedValue] = [], _ changes: [SavedValue]
    ) -> [UInt8] {
        let words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: plan.controls.count)
        defer { words.deallocate() }
        words.initialize(repeating: 0)
        let kept = KeptValues(plan, in: words, saved: saved)
        for it in changes {
            kept.note(Report(control: it.control, kind: .changed(it.value, .panel)))
            kept.note(Report(control: it.control, kind: .confirmed(it.value)))
        }
        // A control that does not exist is left out.
        kept.note(Report(control: ControlID(999), kind: .changed(.on, .panel)))
        return file(kept, Array(words))
    }

    @Test func theLastValueOfEachControlComesBack() throws {
        let plan = try Self.plan()
        let bytes = Self.file(
            plan, saved: [Self.value(0, 1), Self.value(1, 7)],
            [Self.value(1, 42), Self.value(1, 43), Self.value(2, 1)])
        // The third one starts as its file says, so its value is not kept.
        expectEqual(KeptValues.read(bytes, of: plan), [Self.value(0, 1), Self.value(1, 43)])
    }

    @Test func aValueOutOfRangeIsLeftOut() throws {
        let plan = try Self.plan()
        let bytes = Self.file(plan, [Self.value(0, 1), Self.value(1, 100)])
        expectEqual(KeptValues.read(bytes, of: plan), [Self.value(0, 1)])
    }

    @Test func theFileOfAnotherPanelIsRefused() throws {
        let plan = try Self.plan()
        let bytes = Self.file(plan, [Self.value(0, 1)])
        let other = try Self.plan("  d: {kind: toggle-button, label: D, input: E}")
        #expect(KeptValues.read(bytes, of: other) == nil)
        for count in 0..<bytes.count {
            #expect(KeptValues.read(Array(bytes.prefix(count)), of: plan) == nil)
        }
    }

    @Test(arguments: [1, 2] as [UInt64]) func damagedFilesAreSafe(_ seed: UInt64) throws {
        let plan = try Self.plan()
        var numbers = SplitMix64(seed: seed)
        let whole = Self.file(plan, [Self.value(0, 1), Self.value(1, 42)])
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int(numbers.next() % UInt64(bytes.count))] = UInt8(
                    truncatingIfNeeded: numbers.next())
            }
            for it in KeptValues.read(bytes, of: plan) ?? [] {
                #expect(it.control.index < 2 && (0...99).contains(it.value.raw))
            }
        }
    }

    // MARK: The store

    private func store(_ plan: PanelPlan, _ folder: FragileFolder) throws -> StateStore? {
        try StateStore.open(plan, in: folder, place: "/state") { _ in }
    }

    @Test func theNextStartTakesThemAndSavesThem() throws {
        let plan = try Self.plan()
        let old = SavedFile.bytes([.on, Value(7), nil], of: plan)
        let folder = try FragileFolder([
            "P.state": old, "P.state.crash": Self.file(plan, [Self.value(1, 42)]),
        ])
        let store = try #require(try store(plan, folder))
        expectEqual(store.saved, [Self.value(0, 1), Self.value(1, 42)])
        #expect(store.stop(within: .seconds(60)))
        expectEqual(Array(folder.files.keys), ["P.state"])
        expectEqual(folder.files["P.state"], SavedFile.bytes([.on, Value(42), nil], of: plan))
    }

    /// A power cut at any step of the start loses none, and brings no older value back.
    @Test func aPowerCutWhileTheyAreTakenLosesNone() throws {
        let plan = try Self.plan()
        let files = [
            "P.state": SavedFile.bytes([.on, Value(7), nil], of: plan),
            "P.state.crash": Self.file(plan, saved: [Self.value(0, 1)], [Self.value(1, 42)]),
        ]
        for cut in 0..<12 {
            let folder = try FragileFolder(cutAt: cut, files)
            let cutStore = try store(plan, folder)
            _ = cutStore?.stop(within: .seconds(60))
            for found in folder.afterCut {
                let again = try #require(try store(plan, FragileFolder(found)))
                expectEqual(
                    again.saved, [Self.value(0, 1), Self.value(1, 42)], "cut at step \(cut)")
                _ = again.stop(within: .seconds(60))
            }
        }
    }
}

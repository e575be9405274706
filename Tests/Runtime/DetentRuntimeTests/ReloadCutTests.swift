import DetentPanel
import DetentPlatform
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// The power goes while the values of a reloaded panel are written.
@Suite struct ReloadCutTests {
    private let log = MessageLog()

    /// A dial that stays, and a button by a name that a reload changes.
    private static func plan(_ button: String, name: String = "P") throws -> PanelPlan {
        let reading = PanelReader.read(
            SourceText(
                file: "p.yaml",
                text: """
                    panel: \(name)
                    board: none
                    history: off
                    controls:
                      \(button): {kind: toggle-button, label: A, input: A}
                      dial: {kind: dial, label: B, encoder: {a: B, b: C}, range: {min: 0, max: 99}}
                    """))
        return try #require(reading.plan)
    }

    private func value(_ control: UInt16, _ raw: Int32) -> SavedValue {
        SavedValue(control: ControlID(control), value: Value(raw))
    }

    private func open(_ plan: PanelPlan, _ folder: FragileFolder) throws -> StateStore {
        let store = try StateStore.open(plan, in: folder, place: "/state") { [log] in log.add($0) }
        return try #require(store)
    }

    /// What a panel begins with after the cut, for everything that a card can make of it.
    private func saved(_ plan: PanelPlan, after folder: FragileFolder) throws -> Set<[String]> {
        var found: Set<[String]> = []
        for files in folder.afterCut {
            let store = try open(plan, try FragileFolder(files))
            found.insert(store.saved.map { "\($0.control.index)=\($0.value.raw)" })
            #expect(store.stop(within: .seconds(60)))
        }
        return found
    }

    /// The panel file may be the former or the new one after the cut: with both, the dial has a
    /// value that it had, and nothing is damaged.
    @Test(arguments: 0...4) func aControlThatStaysHasAValueThatItHad(cutAt: Int) throws {
        let former = try Self.plan("lamp")
        let next = try Self.plan("fan")
        let old = SavedFile.bytes([.on, Value(42)], of: former)
        let folder = try FragileFolder(cutAt: cutAt, ["P.state": old])
        let store = try open(former, folder)
        store.replacePlan(next, [value(0, 0), value(1, 7)], lock: nil)
        #expect(store.stop(within: .seconds(60)))
        expectEqual(folder.steps, 4, "write, sync, rename, sync")
        let withFormer = try saved(former, after: folder)
        let withNext = try saved(next, after: folder)
        let isFormer: Set = [["0=1", "1=42"]]
        #expect(withFormer.isSubset(of: isFormer.union([["1=7"]])), "\(withFormer)")
        #expect(withNext.isSubset(of: [["1=42"], ["0=0", "1=7"]]), "\(withNext)")
        if cutAt < 3 { expectEqual(withFormer, isFormer) }
        if cutAt == 4 { expectEqual(withNext, [["0=0", "1=7"]]) }
        let damage = log.all.filter { $0.contains(".aside-") }
        expectEqual(damage, [])
    }

    /// With another name, the former file stays whole; the new one is whole or is not there.
    @Test(arguments: 0...4) func aRenamedPanelLeavesTheFormerFile(cutAt: Int) throws {
        let former = try Self.plan("lamp")
        let next = try Self.plan("lamp", name: "Q")
        let words = ["0=1", "1=42"]
        let folder = try FragileFolder(
            cutAt: cutAt, ["P.state": SavedFile.bytes([.on, Value(42)], of: former)])
        let store = try open(former, folder)
        store.replacePlan(next, [value(0, 1), value(1, 42)], lock: nil)
        #expect(store.stop(within: .seconds(60)))
        expectEqual(try saved(former, after: folder), [words])
        let found = try saved(next, after: folder)
        #expect(found.isSubset(of: [[], words]), "\(found)")
        if cutAt == 4 {
            expectEqual(found, [words])
            expectEqual(log.all, [])
        }
    }
}

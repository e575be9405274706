import DetentPanel
import DetentTypes
import TestSupport
import Testing

@Suite struct ConfirmationTests {
    static func plan(_ controls: String) throws -> PanelPlan {
        let text = "{panel: P, board: none, controls: {\(controls)}}"
        return try #require(PanelReader.read(SourceText(file: "panel.yaml", text: text)).plan)
    }

    @Test(arguments: [
        ("hold: 2s", ConfirmationPlan.Method.hold, 2_000, true),
        ("press-twice: 3s", .pressTwice, 3_000, true), ("arm: 5s", .arm, 5_000, true),
        ("guard: G", .guard, 0, false),
    ])
    func aControlHasOneMethod(
        text: String, method: ConfirmationPlan.Method, milliseconds: UInt64, isRemote: Bool
    ) throws {
        let plan = try Self.plan("c: {\(Base.erase), confirm: {\(text)}}")
        let found = try #require(plan.confirmation(of: ControlID(0)))
        expectEqual(found.method, method)
        expectEqual(found.time, .milliseconds(milliseconds))
        expectEqual(found.isPossibleRemotely, isRemote)
        expectEqual(found.buttons, [])
    }

    @Test func aChordHasButtons() throws {
        let plan = try Self.plan(
            "a: {\(Base.button)}, b: {kind: button, label: Stop, input: B}, "
                + "c: {kind: button, label: Erase, confirm: {chord: [a, b], hold: 1s}}")
        let found = try #require(plan.confirmation(of: ControlID(2)))
        expectEqual(found.method, .chord)
        expectEqual(found.time, .seconds(1))
        expectEqual(found.buttons, [ControlID(0), ControlID(1)])
        #expect(!found.isPossibleRemotely)
    }

    /// What confirms must have been seen: fingers that meet by chance fire nothing.
    @Test func aChordIsHeldForHalfASecondUnlessSaid() throws {
        let plan = try Self.plan(
            "a: {\(Base.button)}, b: {kind: button, label: Stop, input: B}, "
                + "c: {kind: button, label: Erase, confirm: {chord: [a, b]}}")
        expectEqual(plan.confirmation(of: ControlID(2))?.time, .milliseconds(500))
    }

    @Test func anItemOfAMenuHasItsOwn() throws {
        let plan = try Self.plan(
            "c: {\(Base.pullDown), items: [{name: Restart}, "
                + "{name: Erase, role: destructive, confirm: {hold: 2s}}]}")
        let menu = ControlID(0)
        #expect(plan.confirmation(of: menu) == nil)
        #expect(plan.confirmation(of: menu, for: Value(0)) == nil)
        expectEqual(plan.confirmation(of: menu, for: Value(1))?.method, .hold)
        #expect(plan.confirmation(of: menu, for: Value(2)) == nil)
        #expect(plan.confirmation(of: menu, for: .unknown) == nil)
    }

    @Test func othersHaveNone() throws {
        let plan = try Self.plan("c: {\(Base.lever)}")
        #expect(plan.confirmation(of: ControlID(0), for: .on) == nil)
        #expect(plan.confirmation(of: ControlID(1)) == nil)
    }
}

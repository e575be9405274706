import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Every error of the rules of a plan.
@Suite struct RulePlanErrorTests {
    /// What adding comes to in an engine with room for one of everything, and two links and items.
    static func error(
        _ add: (inout Engine) throws(EngineError) -> Void
    ) -> EngineError? {
        let capacity = Capacity(
            lines: 4, controls: 2, actions: 1, relations: 2, links: 2, conditionSteps: 1,
            sequenceSteps: 1, items: 2)
        let storage = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Engine.byteCount(for: capacity), alignment: 16)
        defer { storage.deallocate() }
        var engine = Engine(capacity: capacity, storage: storage)
        do throws(EngineError) {
            try add(&engine)
            return nil
        } catch {
            return error
        }
    }

    static func rules(
        items: [MenuItem] = [], _ change: (inout RelationSettings) -> Void
    ) -> EngineError? {
        var settings = RelationSettings()
        change(&settings)
        return error { (engine: inout Engine) throws(EngineError) in
            try engine.addLink(ControlID(0))
            try engine.addConditionStep(.compare(ControlID(0), .equal, .on))
            for item in items { try engine.addItem(item) }
            _ = try engine.addRelations(settings)
        }
    }

    @Test func rangesOfRules() {
        let one = PlanRange(first: 0, count: 1)
        for outside in [PlanRange(first: 0, count: 2), PlanRange(first: 1, count: 1)] {
            expectEqual(Self.rules { $0.members = outside }, .noSuchRelation)
            expectEqual(Self.rules { $0.listeners = outside }, .noSuchRelation)
            expectEqual(Self.rules { $0.condition = outside }, .noSuchRelation)
        }
        #expect(
            Self.rules {
                $0.members = one
                $0.listeners = one
                $0.condition = one
            } == nil)
        // Of nothing it does not matter where it would begin.
        #expect(Self.rules { $0.members = PlanRange(first: .max, count: 0) } == nil)
        expectEqual(
            Self.rules { $0.members = PlanRange(first: .max, count: .max) }, .noSuchRelation)
    }

    static func menu(
        _ items: [MenuItem], count: UInt8, named: UInt16
    ) -> EngineError? {
        rules(items: items) {
            $0.navigation = NavigationSettings(
                style: .menu(closeAfter: .zero), hardware: .encoder, count: count,
                items: PlanRange(first: 0, count: named))
        }
    }

    @Test func menus() {
        let plain = MenuItem()
        #expect(Self.menu([plain, plain], count: 2, named: 2) == nil)
        expectEqual(Self.menu([], count: 0, named: 0), .outOfRange)
        #expect(Self.menu([], count: 32, named: 0) == nil, "options without items")
        expectEqual(Self.menu([], count: 33, named: 0), .outOfRange)
        expectEqual(Self.menu([plain], count: 2, named: 2), .noSuchRelation)
        expectEqual(Self.menu([plain, plain], count: 2, named: 1), .outOfRange)
        #expect(
            Self.menu([MenuItem(isSubmenu: true), MenuItem(parent: 0)], count: 2, named: 2) == nil)
        expectEqual(
            Self.menu([plain, MenuItem(parent: 0)], count: 2, named: 2), .noSuchRelation,
            "in one that is no submenu")
        expectEqual(
            Self.menu([plain, MenuItem(parent: 2)], count: 2, named: 2), .noSuchRelation,
            "in one that does not exist")
    }

    @Test func nothingFitsTwice() {
        expectEqual(
            Self.error { (engine: inout Engine) throws(EngineError) in
                for _ in 0..<3 { try engine.addLink(ControlID(0)) }
            }, .capacityExceeded)
        expectEqual(
            Self.error { (engine: inout Engine) throws(EngineError) in
                for _ in 0..<2 { try engine.addConditionStep(.not) }
            }, .capacityExceeded)
        expectEqual(
            Self.error { (engine: inout Engine) throws(EngineError) in
                for _ in 0..<2 { try engine.addSequenceStep(.wait(.zero)) }
            }, .capacityExceeded)
        expectEqual(
            Self.error { (engine: inout Engine) throws(EngineError) in
                for _ in 0..<3 { try engine.addItem(MenuItem()) }
            }, .capacityExceeded)
        expectEqual(
            Self.error { (engine: inout Engine) throws(EngineError) in
                for _ in 0..<3 { _ = try engine.addRelations(RelationSettings()) }
            }, .capacityExceeded)
    }

    @Test func linksAndItems() {
        func link(_ place: UInt16) -> EngineError? {
            Self.error { (engine: inout Engine) throws(EngineError) in
                try engine.addLink(ControlID(place))
            }
        }
        #expect(link(1) == nil, "one that follows")
        expectEqual(link(2), .noSuchRelation)
        expectEqual(link(.max), .noSuchRelation)
        expectEqual(
            Self.error { (engine: inout Engine) throws(EngineError) in
                try engine.addItem(MenuItem(confirm: .chord(hold: .zero)))
            }, .outOfRange)
    }

    @Test func stepsOfAnAction() {
        func action(_ steps: PlanRange) -> EngineError? {
            Self.error { (engine: inout Engine) throws(EngineError) in
                try engine.addSequenceStep(.wait(.zero))
                _ = try engine.addAction(ActionSettings(steps: steps))
            }
        }
        #expect(action(PlanRange(first: 0, count: 1)) == nil)
        expectEqual(action(PlanRange(first: 0, count: 2)), .noSuchRelation)
        expectEqual(action(PlanRange(first: 1, count: 1)), .noSuchRelation)
        #expect(action(PlanRange(first: .max, count: 0)) == nil)
    }

    @Test func rulesOfAControl() {
        func controls(
            _ confirm: ConfirmSettings, _ settings: [ControlSettings]
        ) -> EngineError? {
            Self.error { (engine: inout Engine) throws(EngineError) in
                for _ in 0..<2 { _ = try engine.addLine(DebounceSettings.none) }
                var rules = RelationSettings()
                rules.confirm = confirm
                _ = try engine.addRelations(rules)
                for control in settings { _ = try engine.addControl(control) }
            }
        }
        let first = ControlSettings(nature: .button, relation: RelationID(0))
        let unguarded = ControlSettings(nature: .button, hasGuard: true)
        let guarded = ControlSettings(
            nature: .button, contacts: PlanRange(first: 0, count: 1), hasGuard: true,
            relation: RelationID(0))
        #expect(controls(.none, [first]) == nil)
        expectEqual(controls(.none, [first, first]), .noSuchRelation, "rules of two controls")
        expectEqual(
            controls(.none, [ControlSettings(nature: .button, relation: RelationID(1))]),
            .noSuchRelation)
        expectEqual(controls(.none, [unguarded]), .outOfRange, "a guard without a contact")
        expectEqual(controls(.guarded, [first]), .outOfRange, "no guard to open")
        #expect(controls(.guarded, [guarded]) == nil)
    }

    @Test func kinds() {
        func kind(_ kind: ControlNature) -> EngineError? {
            Self.error { (engine: inout Engine) throws(EngineError) in
                _ = try engine.addControl(ControlSettings(nature: kind))
            }
        }
        #expect(kind(.selection(of: 30, minimum: 0, maximum: 30)) == nil)
        expectEqual(kind(.selection(of: 31, minimum: 0, maximum: 1)), .outOfRange)
        expectEqual(kind(.selection(of: 2, minimum: 3, maximum: 3)), .outOfRange)
        expectEqual(kind(.selection(of: 3, minimum: 2, maximum: 1)), .outOfRange)
        #expect(kind(.commands(32)) == nil)
        expectEqual(kind(.commands(33)), .outOfRange)
    }
}

import DetentCore
import DetentPanel
import TestSupport
import Testing

@testable import DetentFace

/// Where parts are on a plate, for the panels of this tree and for small ones.
@Suite struct FaceTests {
    /// Every panel of `panels`, with widths from the narrowest to a wide one.
    static let cases: [(String, Double?)] =
        TestLength.some(
            of: (names + ["every-kind", "looks"]).flatMap { name in
                [nil, 300, 420, 600].map { (name, $0) }
            }, every: 5) + ["masters", "lamps", "menus"].map { ($0, nil) }

    static let names = [
        "aquarium", "cnc-pendant", "greenhouse", "home-lights", "kiosk", "lab-supply",
        "model-railway", "studio-tally", "flight-overhead", "ham-radio",
    ]

    /// The panels of `panels`, and those with every kind and every look of a control.
    static func file(_ name: String) -> String {
        switch name {
        case "every-kind", "looks", "masters", "lamps", "menus": "Tests/Browser/panels/\(name).yaml"
        case _: "panels/\(name)/panel.yaml"
        }
    }

    static func plan(_ name: String) throws -> PanelPlan {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let reading = PanelReader.read(file: "/\(root)/\(file(name))")
        return try #require(reading.plan, "\(name)")
    }

    static func plan(controls text: String) throws -> PanelPlan {
        let panel = "panel: Test\nboard: none\ncontrols:\n" + text
        return try #require(PanelReader.read(SourceText(file: "panel.yaml", text: panel)).plan)
    }

    /// Each panel is laid out once for all that must be true of it.
    @Test(arguments: cases)
    func everyPanelFitsItsPlate(name: String, width: Double?) throws {
        let plan = try Self.plan(name)
        let face = try FaceLayout.face(of: plan, width: width)
        if let width { expectEqual(face.width, width) }
        expectDistances(in: face)
        expectBoxes(in: face)
        expectReadableNames(in: face)
        expectControls(of: plan, in: face)
        expectHoles(of: plan, in: face)
    }

    /// Every control is once in the box of its group. What can be operated or lit has a part on the
    /// plate, and nothing else has.
    private func expectControls(of plan: PanelPlan, in face: Face) {
        let cells = face.groups.flatMap(\.cells)
        expectEqual(cells.count, plan.controls.count)
        expectEqual(Set(cells.map(\.control)), Set(plan.controls.indices))
        for group in face.groups {
            for (index, cell) in group.cells.enumerated() {
                let control = plan.controls[cell.control]
                expectEqual(control.layout.group, group.name)
                #expect(group.area.contains(cell.area), "\(control.id)")
                for other in group.cells[(index + 1)...] {
                    #expect(!cell.area.overlaps(other.area), "\(control.id)")
                }
            }
        }
        for (place, control) in plan.controls.enumerated() {
            let hasHardware =
                control.settings.contacts.count > 0 || control.settings.indicator.lines.count > 0
            expectEqual(
                face.placements.contains { $0.control == place }, hasHardware, "\(control.id)")
        }
    }

    /// The template has a hole and a mark for every part.
    private func expectHoles(of plan: PanelPlan, in face: Face) {
        let svg = FaceDrawing.svg(face, ids: plan.controls.map(\.id)).split(separator: "\n")
        let holes = svg.count { $0.contains("class=\"hole\"") }
        expectEqual(holes, face.placements.count)
        expectEqual(svg.count { $0.contains("class=\"mark\"") }, holes)
    }

    /// No part is too near to another one.
    private func expectDistances(in face: Face) {
        for (index, one) in face.placements.enumerated() {
            for other in face.placements[(index + 1)...] {
                // Parts of one control belong together: keys touch, lamps are near.
                if one.control == other.control { continue }
                let least = FacePart.leastDistance(one.part.family, other.part.family)
                let distance = Self.distance(one.area, other.area)
                #expect(
                    distance >= least - 0.001,
                    "\(one.part.word) and \(other.part.word): \(distance) mm, not \(least)")
            }
        }
    }

    /// Everything is in its box, and nothing overlaps.
    private func expectBoxes(in face: Face) {
        let plate = Face.Area(x: 0, y: 0, width: face.width, height: face.height)
        for (index, group) in face.groups.enumerated() {
            #expect(plate.contains(group.area), "\(group.name ?? "-")")
            for other in face.groups[(index + 1)...] {
                #expect(!group.area.overlaps(other.area), "\(group.name ?? "-")")
            }
        }
        for placement in face.placements {
            #expect(face.groups.contains { $0.area.contains(placement.area) })
        }
        for label in face.labels where label.size == .control {
            #expect(face.groups.contains { $0.area.contains(label.area) }, "\(label.lines)")
            for placement in face.placements {
                #expect(!label.area.overlaps(placement.area), "\(label.lines)")
            }
        }
    }

    /// No name of an option is written over another one, or over a control's label.
    private func expectReadableNames(in face: Face) {
        let labels = face.labels.filter { $0.size == .option || $0.size == .control }
        for (index, one) in labels.enumerated() {
            for other in labels[(index + 1)...] {
                #expect(!one.area.overlaps(other.area), "\(one.lines) and \(other.lines)")
            }
            for placement in face.placements {
                #expect(!Self.covers(placement, one.area), "\(one.lines), \(placement.part.word)")
            }
            #expect(face.groups.contains { $0.area.contains(one.area) }, "\(one.lines)")
        }
    }

    @Test func aRowHasItsPartsInOneLine() throws {
        let plan = try Self.plan(
            controls: """
                  a: {kind: switch, label: A, input: L1}
                  b: {kind: button, label: A Long Label of Two Lines, input: L2, indicator: L3}
                  c: {kind: dial, label: C, encoder: {a: L4, b: L5}, range: {min: 0, max: 9}}

                """)
        let face = try FaceLayout.face(of: plan, width: 300)
        let centers = face.placements.filter { $0.part.family != .lamp }.map {
            $0.area.y + $0.area.height / 2
        }
        expectEqual(centers.count, 3)
        #expect(centers.allSatisfy { abs($0 - centers[0]) < 0.001 }, "\(centers)")
    }

    /// Below each other, levers and caps have one axis, whatever is beside or above them.
    @Test func aColumnHasItsPartsInOneLine() throws {
        let plan = try Self.plan(
            controls: """
                  a: {kind: switch, label: A, input: L1}
                  b: {kind: switch, label: B, input: L2, indicator: L3, row: 2}
                  c: {kind: switch, label: A Long Label of Two Lines, input: L4, row: 3}
                  d: {kind: switch, label: D, input: L5, row: 3}
                  e: {kind: toggle-button, label: E, input: L6, indicator: L7, row: 4}
                  f: {kind: toggle-button, label: F, input: L8, row: 4}

                """)
        // A lamp can be beside a lever, and in a cap.
        let face = try FaceLayout.face(of: plan, width: 200)
        let axes = face.groups[0].cells.map { $0.core.x + $0.core.width / 2 }
        expectEqual(axes.count, 6)
        #expect([1, 2, 4].allSatisfy { abs(axes[$0] - axes[0]) < 0.001 }, "\(axes)")
        #expect(abs(axes[3] - axes[5]) < 0.001 && axes[3] > axes[0], "\(axes)")
    }

    /// Members are right of their parent where it is in their box, and only there.
    @Test func membersAreIndentedBesideTheirParent() throws {
        let plan = try Self.plan(
            controls: """
                  near: {kind: checkbox-group, label: Near, members: [a], group: One}
                  a: {kind: switch, label: A, input: L1, group: One, row: 2}
                  far: {kind: checkbox-group, label: Far, members: [b], group: One, row: 3}
                  b: {kind: switch, label: B, input: L2, group: Two}
                  c: {kind: switch, label: C, input: L3, group: Two, row: 2}

                """)
        let face = try FaceLayout.face(of: plan, width: 300)
        let cells = face.groups.flatMap { group in
            group.cells.map { ($0.control, $0.area.x - group.area.x) }
        }
        let left = Dictionary(uniqueKeysWithValues: cells)
        #expect(left[1]! > left[0]! && left[3] == left[4])
    }

    @Test func rowsAndGroupsAreThoseOfTheFile() throws {
        let plan = try Self.plan(
            controls: """
                  low: {kind: switch, label: Low, input: L1, group: Pump, row: 2}
                  high: {kind: switch, label: High, input: L2, group: Pump}
                  other: {kind: switch, label: Other, input: L3, group: Fan}

                """)
        let face = try FaceLayout.face(of: plan, width: 300)
        expectEqual(face.groups.map(\.name), ["Pump", "Fan"])
        let low = try #require(face.placements.first { $0.control == 0 })
        let high = try #require(face.placements.first { $0.control == 1 })
        #expect(low.area.y > high.area.y)
        #expect(face.labels.contains { $0.lines == ["PUMP"] && $0.size == .group })
    }

    @Test func keysTouchAndCarryTheirNames() throws {
        let plan = try Self.plan(
            controls: """
                  m:
                    kind: segmented
                    label: Mode
                    options: [A, B, C]
                    buttons: [L1, L2, L3]

                """)
        let face = try FaceLayout.face(of: plan)
        let keys = face.placements
        expectEqual(keys.map(\.option), ["A", "B", "C"])
        #expect(keys[1].area.x == keys[0].area.right && keys[2].area.x == keys[1].area.right)
    }

    @Test func aNarrowPlateIsRefusedWithTheWidthThatFits() throws {
        let plan = try Self.plan("lab-supply")
        let error = #expect(throws: FaceError.self) { try FaceLayout.face(of: plan, width: 55) }
        guard case .tooNarrow(let control, let least) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        expectEqual(error?.cause, "the plate is too narrow for `\(control)`")
        expectEqual(try FaceLayout.face(of: plan, width: least).width, least)
        #expect(throws: FaceError.self) { try FaceLayout.face(of: plan, width: least - 5) }
    }

    @Test func aPanelWithoutPartsHasNoFace() throws {
        #expect(throws: FaceError.empty) { try FaceLayout.face(of: PanelPlan(name: "Empty")) }
    }

    /// The page has a place for controls that no template drills.
    @Test func aPanelWithoutHardwareIsOnThePage() throws {
        let plan = try Self.plan(
            controls: "  a: {kind: button, label: Show Help, role: info, help: Hello}\n")
        #expect(throws: FaceError.empty) { try FaceLayout.face(of: plan) }
        let face = try FaceFit(plan, width: 390, height: 800).face
        expectEqual(face.groups.flatMap(\.cells).count, 1)
        #expect(face.placements.isEmpty)
    }

    /// Where no scale shows the whole plate, the largest one is taken that shows two groups.
    @Test func aFaceThatScrollsShowsItsFirstGroups() throws {
        let plan = try Self.plan("flight-overhead")
        let fit = try FaceFit(plan, width: 1_280, height: 1_000)
        let ahead = FacesAhead(plan)
        expectEqual(try FaceFit(plan, width: 1_280, height: 1_000, ahead: ahead), fit)
        let first = try #require(fit.face.groups.prefix(2).map(\.area.bottom).max())
        #expect(fit.face.height * fit.scale > 1_000)
        #expect(first * fit.scale <= 1_000)
        #expect(fit.scale >= FaceFit.scales.lowerBound * FaceFit.trueSize)
        // No scale shows them in a low window: the parts are at true size there.
        let low = try FaceFit(plan, width: 1_280, height: 200)
        #expect(low.scale >= FaceFit.trueSize)
    }

    /// Whether a part is over words; knobs and lamps are round.
    private static func covers(_ placement: Face.Placement, _ words: Face.Area) -> Bool {
        let area = placement.area
        switch placement.part.family {
        case .toggle, .pushButton, .key: return area.overlaps(words)
        case .knob, .selector, .lamp:
            let middle = Face.Area(
                x: area.x + area.width / 2, y: area.y + area.height / 2, width: 0, height: 0)
            return distance(middle, words) < area.width / 2
        }
    }

    /// The shortest distance between the edges of two areas.
    private static func distance(_ one: Face.Area, _ other: Face.Area) -> Double {
        let x = max(0, other.x - one.right, one.x - other.right)
        let y = max(0, other.y - one.bottom, one.y - other.bottom)
        return (x * x + y * y).squareRoot()
    }
}

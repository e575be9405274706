import DetentPanel
import TestSupport
import Testing

@testable import DetentFace

/// Forms, groups of checkboxes, controls without a part, and the keys that place controls.
@Suite struct FaceFormTests {
    private static let form = """
          apply: {kind: button, label: Apply, group: Limits, input: L1}
          limit: {kind: checkbox, label: Limit, group: Limits, input: L2, latch: toggle}
          other: {kind: switch, label: Other, group: Limits, input: L3}
          alarm: {kind: checkbox, label: Alarm, group: Limits, row: 2, input: L4, latch: toggle}
          limits:
            kind: form
            label: New Limits
            group: Limits
            members: [limit, alarm]
            apply: apply

        """

    /// The members come first, then the status with the buttons; nothing else is in the outline.
    @Test func aFormIsInOneOutline() throws {
        let plan = try FaceTests.plan(controls: Self.form)
        let face = try FaceLayout.face(of: plan, width: 200)
        let form = try #require(face.forms.first)
        expectEqual(face.forms.count, 1)
        expectEqual(form.name, "New Limits")
        let cells = try #require(face.groups.first).cells
        let area = { (id: String) throws -> Face.Area in
            let place = try #require(plan.controls.firstIndex { $0.id == id })
            return try #require(cells.first { $0.control == place }).area
        }
        for id in ["limit", "alarm", "limits", "apply"] {
            #expect(try form.area.contains(area(id)), "\(id)")
        }
        #expect(try !form.area.overlaps(area("other")))
        #expect(try area("alarm").y > area("limit").bottom)
        #expect(try area("limits").y > area("alarm").bottom)
        #expect(try area("apply").x > area("limits").right)
        #expect(try #require(face.groups.first).area.contains(form.area))
        let svg = FaceDrawing.svg(face, ids: plan.controls.map(\.id))
        #expect(svg.contains("class=\"form\""))
        #expect(svg.contains(">New Limits</text>"))
    }

    /// The status has no lamp here: it has room on the plate, and neither hole nor words.
    @Test func aControlWithoutAPartHasRoomInItsBox() throws {
        let plan = try FaceTests.plan(controls: Self.form)
        let face = try FaceLayout.face(of: plan)
        let place = try #require(plan.controls.firstIndex { $0.id == "limits" })
        #expect(face.groups.flatMap(\.cells).contains { $0.control == place })
        #expect(!face.isDrilled(place))
        let svg = FaceDrawing.svg(face, ids: plan.controls.map(\.id))
        #expect(!svg.contains("data-control=\"limits\""))
        expectEqual(svg.components(of: ">New Limits</text>"), 1, "the name of the outline alone")
    }

    @Test func membersAreRightOfTheirParent() throws {
        let plan = try FaceTests.plan(
            controls: """
                  all: {kind: checkbox-group, label: All, members: [one, two]}
                  one: {kind: checkbox, label: One, input: L1, latch: toggle, row: 2}
                  two: {kind: checkbox, label: Two, input: L2, latch: toggle, row: 2}

                """)
        let face = try FaceLayout.face(of: plan, width: 200)
        let cells = try #require(face.groups.first).cells
        expectEqual(cells.map(\.control), [0, 1, 2])
        #expect(cells[1].area.x >= cells[0].area.x + 10)
        #expect(cells[1].area.y >= cells[0].area.bottom)
    }

    // MARK: Keys

    private static func plan(layout: String = "", _ controls: String) throws -> PanelPlan {
        let panel = "panel: Test\nboard: none\n\(layout)controls:\n" + controls
        return try #require(PanelReader.read(SourceText(file: "panel.yaml", text: panel)).plan)
    }

    private static let two = """
          a: {kind: switch, label: A, input: L1, group: One}
          b: {kind: switch, label: B, input: L2, group: Two}

        """

    @Test func orderPutsAGroupFirst() throws {
        let face = try FaceLayout.face(of: Self.plan(Self.two))
        expectEqual(face.groups.map(\.name), ["One", "Two"])
        let turned = try FaceLayout.face(
            of: Self.plan(layout: "layout: {order: [Two]}\n", Self.two))
        expectEqual(turned.groups.map(\.name), ["Two", "One"])
        #expect(turned.groups[0].area.x <= turned.groups[1].area.x)
    }

    @Test func widthIsThatOfThePlate() throws {
        let plan = try Self.plan(layout: "layout: {width: 240mm}\n", Self.two)
        expectEqual(try FaceLayout.face(of: plan).width, 240)
        expectEqual(try FaceLayout.face(of: plan, width: 180).width, 180, "the command decides")
    }

    @Test func atIsTheMiddleOfThePart() throws {
        let plan = try Self.plan(
            """
              a: {kind: switch, label: A, input: L1, group: One, at: [83mm, 57mm]}
              b: {kind: switch, label: B, input: L2, group: Two}

            """)
        for width in [150.0, 300] {
            let face = try FaceLayout.face(of: plan, width: width)
            let part = try #require(face.placements.first { $0.control == 0 }).area
            #expect(part.x + part.width / 2 == 83 && part.y + part.height / 2 == 57)
            let other = try #require(face.placements.first { $0.control == 1 }).area
            #expect(other.y > part.bottom, "the others are below")
        }
    }

    @Test func spanWidensACell() throws {
        let text = { (span: String) in
            "  a: {kind: dial, label: A, encoder: {a: L1, b: L2}, range: {min: 0, max: 9}\(span)}\n"
        }
        let cell = { (face: Face) in face.groups[0].cells[0].area.width }
        let normal = try FaceLayout.face(of: Self.plan(text("")))
        let wide = try FaceLayout.face(of: Self.plan(text(", span: 4")))
        #expect(cell(normal) < 120 && cell(wide) == 120)
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int {
        indices.count { self[$0...].hasPrefix(text) }
    }
}

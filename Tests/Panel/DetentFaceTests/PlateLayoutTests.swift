import DetentPanel
import TestSupport
import Testing

@testable import DetentFace

/// The boxes fill their plate, for the panels of this tree and three widths of a plate.
@Suite struct PlateLayoutTests {
    static let cases: [(String, Double)] = TestLength.some(
        of: (FaceTests.names + ["every-kind", "looks"]).flatMap { name in
            [338, 200, 100].map { (name, $0) }
        }, every: 8)

    /// The face on the narrowest plate that is as wide, or on the narrowest of all.
    private static func layout(_ name: String, _ width: Double) throws -> (PanelPlan, Face) {
        let plan = try FaceTests.plan(name)
        let least = try FaceLayout.leastWidth(of: plan).millimeters
        var layouts = FaceLayout.Layouts(plan)
        let layout = layouts.trimmed(max(width, least))
        return (plan, layout.face(width: layout.width))
    }

    /// No hole is larger than a tenth, and boxes are on the grid. The page shows a trimmed plate,
    /// and the template for its width is the same.
    @Test(arguments: cases) func aPlateIsFull(name: String, width: Double) throws {
        let (plan, face) = try Self.layout(name, width)
        expectEqual(try FaceLayout.face(of: plan, width: face.width), face)
        let hole = Self.largestHole(face) / (face.width * face.height)
        #expect(hole <= 0.1, "\(name) \(face.width) × \(face.height): \(hole)")
        for area in face.groups.map(\.area) {
            for length in [area.x, area.y, area.width, area.height] {
                expectEqual(FaceLayout.up(length), length, "\(area)")
            }
        }
    }

    /// Boxes on a plate of any width reach from edge to edge.
    @Test(arguments: [200.0, 300, 450]) func boxesReachTheEdges(width: Double) throws {
        let plan = try FaceTests.plan(
            controls: """
                  a: {kind: switch, label: A, input: L1, group: One}
                  b: {kind: switch, label: B, input: L2, group: Two}

                """)
        let face = try FaceLayout.face(of: plan, width: width)
        expectEqual(face.groups.map(\.area.x).min(), FaceLayout.margin)
        expectEqual(face.groups.map(\.area.right).max(), width - FaceLayout.margin)
        expectEqual(face.groups[0].area.y, face.groups[1].area.y)
        expectEqual(face.groups[0].area.bottom, face.groups[1].area.bottom)
        for placement in face.placements {
            let box = try #require(face.groups.first { $0.area.contains(placement.area) }).area
            let middle = placement.area.x + placement.area.width / 2
            #expect(abs(middle - (box.x + box.width / 2)) < FaceLayout.grid, "in the middle")
        }
    }

    /// The largest rectangle between the boxes that has nothing on it.
    private static func largestHole(_ face: Face) -> Double {
        let boxes = face.groups.map(\.area)
        let across = Set(
            boxes.flatMap { [$0.x, $0.right] } + [
                FaceLayout.margin, face.width - FaceLayout.margin,
            ]
        ).sorted()
        let down = Set(boxes.flatMap { [$0.y, $0.bottom] }).sorted()
        var largest = 0.0
        for (index, left) in across.enumerated() {
            for right in across[(index + 1)...] {
                for (place, top) in down.enumerated() {
                    for bottom in down[(place + 1)...] {
                        let area = Face.Area(
                            x: left, y: top, width: right - left, height: bottom - top)
                        guard area.width * area.height > largest else { continue }
                        if boxes.contains(where: area.overlaps) { break }
                        largest = area.width * area.height
                    }
                }
            }
        }
        return largest
    }
}

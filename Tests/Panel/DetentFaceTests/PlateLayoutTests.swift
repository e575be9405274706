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
        var layouts = FaceLayouts(plan)
        let layout = layouts.trimmed(max(width, try layouts.least().millimeters))
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

    /// Cells cover more than a quarter of any plate; the page and the template choose from those
    /// where it is more (Tests/Browser/test_measure.py).
    @Test(arguments: cases) func cellsCoverThePlate(name: String, width: Double) throws {
        let (_, face) = try Self.layout(name, width)
        let cells = face.groups.flatMap(\.cells).map(\.area)
        let covered = cells.reduce(0) { $0 + $1.width * $1.height } / (face.width * face.height)
        #expect(covered >= 0.26, "\(name) \(face.width): \(covered)")
    }

    /// No frame is larger than 1.3 times what is in it; frames beside each other end together.
    @Test(arguments: cases) func framesFitTheirContent(name: String, width: Double) throws {
        let (_, face) = try Self.layout(name, width)
        for group in face.groups {
            let cells = group.cells.map(\.area)
            let left = try #require(cells.map(\.x).min())
            let right = try #require(cells.map(\.right).max())
            let top = try #require(cells.map(\.y).min())
            let bottom = try #require(cells.map(\.bottom).max())
            // With the room at its edges, for its title and on the grid.
            let title = TextWidth.millimeters(
                (group.name ?? "").uppercased(), fontSizeMillimeters: 4)
            let size = (
                FaceLayout.up(max(right - left, title) + 10), FaceLayout.up(bottom - top + 10)
            )
            #expect(group.area.width <= 1.3 * size.0 + 3 * FaceLayout.grid, "\(group.name ?? "-")")
            #expect(group.area.height <= 1.3 * size.1 + 2 * FaceLayout.grid, "\(group.name ?? "-")")
            for other in face.groups where other.area.y == group.area.y {
                let lower = face.groups.filter { $0.area.y > group.area.y }
                let isAlone = { (area: Face.Area) in
                    !lower.contains { $0.area.y == area.bottom + FaceLayout.gap }
                }
                if isAlone(group.area), isAlone(other.area) {
                    expectEqual(group.area.bottom, other.area.bottom, "\(group.name ?? "-")")
                }
            }
        }
    }

    /// On a plate that is wider than its boxes may be, they are in the middle.
    @Test(arguments: [200.0, 300, 450]) func boxesAreInTheMiddle(width: Double) throws {
        let plan = try FaceTests.plan(
            controls: """
                  a: {kind: switch, label: A, input: L1, group: One}
                  b: {kind: switch, label: B, input: L2, group: Two}

                """)
        let face = try FaceLayout.face(of: plan, width: width)
        let left = try #require(face.groups.map(\.area.x).min())
        let right = try #require(face.groups.map(\.area.right).max())
        #expect(abs(left - (width - right)) <= FaceLayout.grid, "\(left), \(right)")
        expectEqual(face.groups[0].area.y, face.groups[1].area.y)
        expectEqual(face.groups[0].area.bottom, face.groups[1].area.bottom)
        for placement in face.placements {
            let box = try #require(face.groups.first { $0.area.contains(placement.area) }).area
            let middle = placement.area.x + placement.area.width / 2
            #expect(abs(middle - (box.x + box.width / 2)) <= FaceLayout.grid, "in the middle")
        }
    }

    /// A part that is engraved above another one has its axis, or a clear distance to it.
    @Test(arguments: cases) func axesAreOnTheGrid(name: String, width: Double) throws {
        let (_, face) = try Self.layout(name, width)
        for cell in face.groups.flatMap(\.cells) where cell.part.family != .lamp {
            let axis = cell.core.x + cell.core.width / 2
            expectEqual(FaceLayout.up(axis), axis, "\(cell.control) at \(axis)")
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

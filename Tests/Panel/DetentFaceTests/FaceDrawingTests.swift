import DetentCore
import DetentPanel
import TestSupport
import Testing

@testable import DetentFace

/// The drilling template, and the list of holes.
@Suite struct FaceDrawingTests {
    private func drawing(_ plan: PanelPlan) throws -> (Face, String) {
        let face = try FaceLayout.face(of: plan)
        return (face, FaceDrawing.svg(face, ids: plan.controls.map(\.id)))
    }

    @Test func itIsAsLargeAsThePlate() throws {
        let (face, svg) = try drawing(FaceTests.plan("lab-supply"))
        let (width, height) = (
            FaceDrawing.number(face.width), FaceDrawing.number(face.height + FaceDrawing.footer)
        )
        #expect(svg.contains("width=\"\(width)mm\" height=\"\(height)mm\""))
        #expect(svg.contains("viewBox=\"0 0 \(width) \(height)\""), "a unit is a millimetre")
        #expect(svg.contains("h50"), "the line to check the printer by")
    }

    /// The table of docs/face.md has every part, with the sizes that are drawn.
    @Test func partsAreDocumented() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let source = try SourceText.read(file: "/\(root)/docs/face.md")
        let lines = String(decoding: source.bytes, as: UTF8.self).split(separator: "\n")
        for part in FacePart.all {
            let hole =
                switch part.hole {
                case .round(let diameter): "⌀ \(FaceDrawing.number(diameter))"
                case .rectangle(let width, let height):
                    "\(FaceDrawing.number(width)) × \(FaceDrawing.number(height))"
                }
            let seen = "\(FaceDrawing.number(part.width)) × \(FaceDrawing.number(part.height))"
            let row = lines.first { $0.hasPrefix("| `\(part.word)` |") }
            expectEqual(
                row?.contains("| \(hole) | \(seen)"), true, "\(part.word): \(hole), \(seen)")
        }
    }

    @Test func wordsAreEscaped() throws {
        let plan = try FaceTests.plan(
            controls: "  a: {kind: switch, label: 'A & \"B\" <C>', input: L1}\n")
        let (_, svg) = try drawing(plan)
        #expect(svg.contains("A &amp; &quot;B&quot; &lt;C&gt;"))
    }

    @Test func holesAreListed() throws {
        let plan = try FaceTests.plan(
            controls: """
                  pump: {kind: switch, label: Pump, input: L1, indicator: L2}
                  mode:
                    kind: segmented
                    label: Mode
                    options: [A, B]
                    buttons: [L3, L4]

                """)
        let face = try FaceLayout.face(of: plan, width: 120)
        expectEqual(
            DrillingList.text(face, ids: ["pump", "mode"]),
            """
            plate: 120 × 60 mm
            control  part         x   y     hole
            pump     mini-toggle  35  33.5  ⌀ 6.5
            pump     lamp         23  33.5  ⌀ 6.5
            mode.A   key          71  33.5  16 × 16
            mode.B   key          89  33.5  16 × 16

            """)
    }

    @Test(arguments: [
        (0.0, "0"), (12, "12"), (12.5, "12.5"), (12.25, "12.25"), (12.05, "12.05"), (-3.5, "-3.5"),
        (0.004, "0"),
    ])
    func numbersAreShort(length: Double, text: String) {
        expectEqual(FaceDrawing.number(length), text)
    }

    @Test func pointsOfACircle() {
        for (degrees, x, y) in [(0.0, 0.0, 10.0), (90, 10, 0), (180, 0, -10), (-90, -10, 0)] {
            let point = Angle.point(degrees: degrees, radius: 10)
            #expect(abs(point.x - x) < 1e-6 && abs(point.y - y) < 1e-6, "\(degrees): \(point)")
        }
    }
}

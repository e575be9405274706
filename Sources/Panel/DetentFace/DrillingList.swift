import DetentPanel

/// The holes of a face as text: one line each, aligned.
public enum DrillingList {
    /// The list; places are the centres of holes, in millimetres from the top left corner.
    public static func text(_ face: Face, ids: [String]) -> String {
        var rows = [["control", "part", "x", "y", "hole"]]
        for placement in face.placements {
            let area = placement.area
            rows.append([
                placement.option.map { "\(ids[placement.control]).\($0)" }
                    ?? ids[placement.control],
                placement.part.word, FaceDrawing.number(area.x + area.width / 2),
                FaceDrawing.number(area.y + area.height / 2), words(placement.part.hole),
            ])
        }
        let size = "\(FaceDrawing.number(face.width)) × \(FaceDrawing.number(face.height)) mm"
        return "plate: \(size)\n" + Table.text(rows, indent: "")
    }

    private static func words(_ hole: FacePart.Hole) -> String {
        switch hole {
        case .round(let diameter): "⌀ \(FaceDrawing.number(diameter))"
        case .rectangle(let width, let height):
            "\(FaceDrawing.number(width)) × \(FaceDrawing.number(height))"
        }
    }
}

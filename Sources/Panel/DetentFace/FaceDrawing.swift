import DetentPanel

/// Draws a face as SVG, at its true size: a template for drilling.
///
/// Holes and cut-outs are solid lines with centre marks. What is seen of parts is dashed. A line of
/// 50 mm shows whether the printer kept the size. Engraved words are text.
public enum FaceDrawing {
    /// Room under the plate for the check line.
    static let footer = 15.0

    /// The SVG document; equal faces give equal bytes.
    ///
    /// - Parameters:
    ///   - ids: the id of each control of the plan, for `data-control`.
    ///   - titles: its label, for a hole that has no engraved words beside it.
    public static func svg(_ face: Face, ids: [String], titles: [String]? = nil) -> String {
        let height = face.height + footer
        var svg = Markup()
        svg.open(width: face.width, height: height)
        svg.line("<style>")
        svg.line("  * { fill: none; stroke: #000; stroke-width: 0.25 }")
        svg.line("  text { fill: #000; stroke: none; font-weight: 500 }")
        svg.line("  text { font-family: Roboto Condensed, Arial Narrow, sans-serif }")
        svg.line("  .seen { stroke-dasharray: 1 1; stroke: #888 }")
        svg.line("  .form { stroke-width: 0.15 }")
        svg.line("  .mark { stroke-width: 0.1 }")
        svg.line("</style>")
        svg.rectangle("plate", Face.Area(x: 0, y: 0, width: face.width, height: face.height))
        for group in face.groups {
            svg.rectangle("group", group.area)
            for cell in group.cells {
                if let window = cell.window, face.isDrilled(cell.control) {
                    svg.rectangle("seen", window)
                }
            }
        }
        for placement in face.placements {
            svg.open(
                "g",
                [
                    ("class", "part"), ("data-part", placement.part.word),
                    ("data-control", ids[placement.control]),
                ])
            let isNamed = face.labels.contains {
                $0.control == placement.control && $0.size == .control
            }
            let own = titles?[placement.control]
            draw(
                placement,
                title: isNamed ? nil : own,
                &svg)
            svg.close("g")
        }
        for form in face.forms {
            svg.rectangle("form", form.area)
            let size = Face.Label.Size.option.fontSizeMillimeters
            words(
                form.name, x: form.area.x + 3, y: form.area.y + size + 0.5, size: size,
                anchor: "start", &svg)
        }
        for label in face.labels where label.control.map(face.isDrilled) ?? true {
            text(label, &svg)
        }
        checkLine(face, &svg)
        svg.close("svg")
        return svg.text
    }

    private static func draw(
        _ placement: Face.Placement, title: String?, _ svg: inout Markup
    ) {
        let area = placement.area
        let (x, y) = (area.x + area.width / 2, area.y + area.height / 2)
        switch placement.part.family {
        case .knob, .selector, .lamp:
            svg.circle("seen", x: x, y: y, radius: area.width / 2)
        case .toggle, .pushButton, .key: svg.rectangle("seen", area)
        }
        switch placement.part.hole {
        case .round(let diameter):
            svg.circle("hole", x: x, y: y, radius: diameter / 2)
        case .rectangle(let width, let height):
            svg.rectangle(
                "hole",
                Face.Area(x: x - width / 2, y: y - height / 2, width: width, height: height))
        }
        svg.empty(
            "path",
            [
                ("class", "mark"),
                (
                    "d",
                    "M\(number(x - 3)) \(number(y))h6M\(number(x)) \(number(y - 3))v6"
                ),
            ])
        // Below the hole, how large it is and, where no word is engraved on the part, what for.
        let (size, height) =
            switch placement.part.hole {
            case .round(let diameter): ("⌀ \(number(diameter))", diameter)
            case .rectangle(let width, let height):
                ("\(number(width)) × \(number(height))", height)
            }
        var notes = [size]
        if let title, placement.part.family != .key {
            notes += TextWidth.lines(
                title, width: area.width - 2, most: area.width - 1, fontSizeMillimeters: 1.8,
                count: 2)
        }
        for (number, note) in notes.enumerated() {
            let y = y + height / 2 + 2.2 * Double(number + 1)
            words(note, x: x, y: y, size: 1.8, anchor: "middle", &svg)
        }
        if placement.part.family == .key, let option = placement.option {
            let size = Face.Label.Size.option.fontSizeMillimeters
            let lines = TextWidth.lines(
                option, width: area.width - 2, most: area.width, fontSizeMillimeters: size, count: 3
            )
            for (number, line) in lines.enumerated() {
                words(
                    line, x: x, y: y - 3 + (size + 0.5) * Double(number), size: size,
                    anchor: "middle", &svg)
            }
        }
    }

    private static func text(_ label: Face.Label, _ svg: inout Markup) {
        let size = label.size.fontSizeMillimeters
        let (x, anchor) =
            switch label.alignment {
            case .start: (label.area.x, "start")
            case .middle: (label.area.x + label.area.width / 2, "middle")
            case .end: (label.area.right, "end")
            }
        let step = label.area.height / Double(max(1, label.lines.count))
        for (number, line) in label.lines.enumerated() {
            // Capitals are 0.7 of the size: they stand in the middle of their line.
            let y = label.area.y + step * (Double(number) + 0.5) + size * 0.35
            words(line, x: x, y: y, size: size, anchor: anchor, &svg)
        }
    }

    private static func words(
        _ text: String, x: Double, y: Double, size: Double, anchor: String, _ svg: inout Markup
    ) {
        svg.element(
            "text",
            [
                ("x", number(x)), ("y", number(y)), ("font-size", number(size)),
                ("text-anchor", anchor),
            ], text)
    }

    private static func checkLine(_ face: Face, _ svg: inout Markup) {
        let y = number(face.height + 6)
        svg.empty("path", [("class", "check"), ("d", "M5 \(y)h50M5 \(y)m0 -2v4M55 \(y)m0 -2v4")])
        words(
            "50 mm: print at 100 %", x: 5, y: face.height + 12, size: 3.5, anchor: "start", &svg)
    }

    /// A length with at most two decimals.
    static func number(_ length: Double) -> String {
        let hundredths = Int((length * 100).rounded())
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        var text = "\(hundredths < 0 ? "-" : "")\(whole)"
        if rest > 0 { text += rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest < 10 ? "0" : "")\(rest)" }
        return text
    }
}

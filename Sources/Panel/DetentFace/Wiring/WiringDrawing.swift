import DetentPanel

/// The wiring of a panel as SVG: the headers with every wire.
public enum WiringDrawing {
    /// The distance between two rows of pins; a header is drawn at twice its true size.
    private static let pitch = 5.08
    private static let fontSize = 3.0
    /// Room for the list of parts.
    private static let leastWidth = 120.0

    /// The SVG document; equal wirings give equal bytes. A unit is a millimetre.
    public static func svg(_ wiring: Wiring) -> String {
        let sides = wiring.headers.flatMap { header in
            header.pins.map { pin in
                TextWidth.millimeters(
                    label(pin, wiring.uses(header.name, pin.number)), fontSizeMillimeters: fontSize)
            }
        }
        let side = (sides.max() ?? 0) + 10
        let width = max(side * 2 + pitch, leastWidth)
        let lists = lines(wiring).flatMap {
            TextWidth.lines(
                $0, width: width - 8, most: width - 8, fontSizeMillimeters: fontSize, count: .max)
        }
        let rows = wiring.headers.reduce(0) { $0 + (($1.pins.last?.number ?? 0) + 1) / 2 + 2 }
        let height = Double(rows) * pitch + Double(lists.count + 2) * 4.5 + 12
        var svg = Markup()
        svg.open(width: width, height: height)
        svg.line("<style>")
        svg.line("  rect.sheet { fill: #fff }")
        svg.line("  text { fill: #111; font-family: Helvetica, Arial, sans-serif }")
        svg.line("  .pin { fill: #fff; stroke: #777; stroke-width: 0.3 }")
        svg.line("  .wire { stroke: #999; stroke-width: 0.4 }")
        svg.line("  .used { fill: #1663c7; stroke: #1663c7 }")
        svg.line("  .ground { fill: #111; stroke: #111 } .power { fill: #c62828; stroke: #c62828 }")
        svg.line("  .free { fill: #777 }")
        svg.line("</style>")
        svg.rectangle("sheet", Face.Area(x: 0, y: 0, width: width, height: height))
        text("\(wiring.panel) on \(wiring.board.name)", x: 4, y: 7, size: 4.5, "start", "", &svg)
        var y = 14.0
        for header in wiring.headers {
            text(header.name, x: width / 2, y: y, size: 3.5, "middle", "", &svg)
            y += pitch
            for pin in header.pins {
                draw(pin, header, wiring, left: (width - pitch) / 2, top: y, &svg)
            }
            y += Double(((header.pins.last?.number ?? 0) + 1) / 2 + 1) * pitch
        }
        for line in lists {
            text(line, x: 4, y: y, size: fontSize, "start", "", &svg)
            y += 4.5
        }
        svg.close("svg")
        return svg.text
    }

    private static func draw(
        _ pin: BoardPin, _ header: BoardHeader, _ wiring: Wiring, left: Double, top: Double,
        _ svg: inout Markup
    ) {
        let isLeft = pin.number % 2 == 1
        let x = isLeft ? left : left + pitch
        let y = top + Double((pin.number - 1) / 2) * pitch
        let uses = wiring.uses(header.name, pin.number)
        let (near, far) = isLeft ? (x - 1.6, x - 6) : (x + 1.6, x + 6)
        if !uses.isEmpty {
            svg.empty(
                "path",
                [
                    ("class", "wire"),
                    (
                        "d",
                        "M\(FaceDrawing.number(near)) \(FaceDrawing.number(y))"
                            + "H\(FaceDrawing.number(far))"
                    ),
                ])
        }
        let kind =
            switch pin.kind {
            case .ground: " ground"
            case .power: " power"
            case .gpio, .gpioUnverified: " used"
            case .adc, .nc, .other: ""
            }
        svg.circle("pin" + (uses.isEmpty ? "" : kind), x: x, y: y, radius: 1.6)
        text(
            label(pin, uses), x: isLeft ? x - 7 : x + 7, y: y + 1, size: fontSize,
            isLeft ? "end" : "start", uses.isEmpty ? "free" : "", &svg)
    }

    /// The number, the name and the use of a pin, the use outside.
    private static func label(_ pin: BoardPin, _ uses: String) -> String {
        let parts = ["\(pin.number) \(pin.name)", uses].filter { !$0.isEmpty }
        return (pin.number % 2 == 1 ? parts.reversed() : parts).joined(separator: " · ")
    }

    private static func lines(_ wiring: Wiring) -> [String] {
        ["Parts"]
            + wiring.parts.map { part in
                "\(part.count) × \(part.name): \(part.controls.joined(separator: ", "))"
            } + wiring.notes
    }

    private static func text(
        _ words: String, x: Double, y: Double, size: Double, _ anchor: String, _ kind: String,
        _ svg: inout Markup
    ) {
        var attributes = [
            ("x", FaceDrawing.number(x)), ("y", FaceDrawing.number(y)),
            ("font-size", FaceDrawing.number(size)), ("text-anchor", anchor),
        ]
        if !kind.isEmpty { attributes.append(("class", kind)) }
        svg.element("text", attributes, words)
    }
}

import DetentPanel

/// The wiring of a panel as SVG: the headers, and a wire from each used pin to its part.
///
/// The parts are right of the header. The wire of a left pin passes below its neighbour, so a row
/// has two lanes. Between the header and the parts each wire has a channel of its own.
public enum WiringDrawing {
    /// The distance between two rows of pins; a header is drawn at twice its true size.
    private static let pitch = 5.08
    private static let pinRadius = 1.6
    private static let (fontSize, pinFontSize) = (3.0, 2.2)
    /// Fonts that stand in for the condensed face are wider.
    private static let otherFont = 1.35
    /// Between two channels, and between two terminals of a part.
    private static let (channel, terminal) = (1.4, 4.2)
    private static let boxGap = 3.0
    private static let top = 14.0
    /// Room for the list of parts.
    private static let leastWidth = 120.0

    /// A wire from a pin to a terminal.
    private struct Line {
        var pin: Wiring.Pin
        /// What the terminal is, such as `contact` or `ground`.
        var words: String
        var kind: String
        var lane = 0.0
        var terminal = 0.0
        var channel = 0.0
    }

    /// A part with its terminals.
    private struct Box {
        var title: String
        var id: String
        var lines: [Line]
        var y = 0.0

        var height: Double { 6.5 + Double(lines.count) * WiringDrawing.terminal }
    }

    /// The SVG document; equal wirings give equal bytes. A unit is a millimetre.
    public static func svg(_ wiring: Wiring) -> String {
        let pins = wiring.headers.flatMap { header in header.pins.map { (header.name, $0) } }
        let names = { (remainder: Int) in
            pins.filter { $0.1.number % 2 == remainder }.map {
                width("\($0.1.number) \($0.1.name)")
            }
            .max() ?? 0
        }
        let left = 6 + names(1)
        let lanes = left + pitch + 3 + names(0) * pinFontSize / fontSize
        var y = top
        var headers: [(header: BoardHeader, y: Double)] = []
        for header in wiring.headers {
            headers.append((header, y))
            y += Double(((header.pins.last?.number ?? 0) + 1) / 2 + 2) * pitch
        }
        var boxes = boxes(wiring) { pin in
            let first = headers.first { $0.header.name == pin.header }?.y ?? top
            let row = Double((pin.number - 1) / 2 + 1)
            return first + (row + (pin.number % 2 == 1 ? 0.5 : 0)) * pitch
        }
        let channels = stack(&boxes, from: lanes + channel)
        let across =
            boxes.flatMap { box in
                box.lines.map { width($0.words) + 5 } + [width(box.title) + 4]
            }.max() ?? 0
        let sheet = max(channels + across + 4, leastWidth)
        let lists = lines(wiring).flatMap {
            TextWidth.lines(
                $0, width: (sheet - 8) / otherFont, most: (sheet - 8) / otherFont,
                fontSizeMillimeters: fontSize, count: .max)
        }
        y = max(y, boxes.last.map { $0.y + $0.height + boxGap } ?? 0) + fontSize
        var svg = Markup()
        svg.open(width: sheet, height: y + Double(lists.count) * 4.5)
        style(&svg)
        svg.rectangle(
            "sheet", Face.Area(x: 0, y: 0, width: sheet, height: y + Double(lists.count) * 4.5))
        text("\(wiring.panel) on \(wiring.board.name)", x: 4, y: 7, size: 4.5, "start", "", &svg)
        for box in boxes { draw(box, wiring, left: left, edge: channels, across, &svg) }
        for (header, y) in headers {
            text(header.name, x: left + pitch / 2, y: y, size: 3.5, "middle", "", &svg)
            for pin in header.pins {
                draw(pin, of: header, wiring, left: left, top: y + pitch, &svg)
            }
        }
        for line in lists {
            text(line, x: 4, y: y, size: fontSize, "start", "", &svg)
            y += 4.5
        }
        svg.close("svg")
        return svg.text
    }

    private static func style(_ svg: inout Markup) {
        svg.line("<style>")
        svg.line("  rect.sheet { fill: #fff }")
        svg.line("  text { fill: #111; font-family: Roboto Condensed, Arial Narrow, sans-serif }")
        svg.line("  .pin, .part { fill: #fff; stroke: #777; stroke-width: 0.3 }")
        svg.line("  .wire { fill: none; stroke-width: 0.5; stroke-linejoin: round }")
        let colors = ["1663c7", "2e7d32", "7b3fa0", "b45309", "00796b", "ad1457"]
        for (number, color) in colors.enumerated() {
            svg.line("  .w\(number) { stroke: #\(color) }")
        }
        svg.line("  .ground { stroke: #111 } .power { stroke: #c62828 }")
        svg.line("  .used { fill: #555 } .pin.ground { fill: #111 } .pin.power { fill: #c62828 }")
        svg.line("  .free { fill: #777 } .title { font-weight: 700 }")
        svg.line("</style>")
    }

    // MARK: Where everything is

    /// The parts whose lines are on a header, each with its terminals from the top to the bottom.
    private static func boxes(_ wiring: Wiring, lane: (Wiring.Pin) -> Double) -> [Box] {
        var boxes: [Box] = []
        var number = 0
        for (control, label) in wiring.labels.enumerated() {
            var lines: [Line] = []
            var commons: [Wiring.Pin] = []
            let wires = wiring.wires.filter { $0.control == control }
            for wire in wires {
                if let pin = wire.pin {
                    lines.append(Line(pin: pin, words: words(wire), kind: "w\(number % 6)"))
                    number += 1
                }
                for pin in [wire.common, wire.pulled, wire.farEnd].compactMap({ $0 })
                where !commons.contains(pin) {
                    commons.append(pin)
                }
            }
            for pin in commons {
                let isGround = kind(of: pin, wiring) == "ground"
                lines.append(
                    Line(
                        pin: pin, words: isGround ? "ground" : "supply",
                        kind: isGround ? "ground" : "power"))
            }
            for place in lines.indices { lines[place].lane = lane(lines[place].pin) }
            guard !lines.isEmpty else { continue }
            lines.sort { $0.lane < $1.lane }
            boxes.append(Box(title: label, id: wires[0].id, lines: lines))
        }
        let middle = { (box: Box) in box.lines.reduce(0) { $0 + $1.lane } / Double(box.lines.count)
        }
        return boxes.sorted { middle($0) < middle($1) }
    }

    /// Places parts below each other, near their pins, and gives each wire a channel; returns the
    /// end of the channels.
    private static func stack(_ boxes: inout [Box], from start: Double) -> Double {
        var y = top - 4
        var wires: [(box: Int, line: Int)] = []
        for box in boxes.indices {
            let lanes = boxes[box].lines.map(\.lane)
            let middle = lanes.reduce(0, +) / Double(lanes.count)
            // Those below need their room, too.
            y = max(y, min(middle - boxes[box].height / 2, y + 4 * boxGap))
            boxes[box].y = y
            y += boxes[box].height + boxGap
            for line in lanes.indices {
                boxes[box].lines[line].terminal = boxes[box].y + 8 + Double(line) * terminal
                wires.append((box, line))
            }
        }
        // Wires that go up begin with the highest, those that go down with the lowest: so those of
        // one direction do not cross.
        let sorted = wires.sorted { one, other in
            let (first, second) = (
                boxes[one.box].lines[one.line], boxes[other.box].lines[other.line]
            )
            let (isUp, otherIsUp) = (first.terminal < first.lane, second.terminal < second.lane)
            if isUp != otherIsUp { return isUp }
            return isUp ? first.lane < second.lane : first.lane > second.lane
        }
        for (number, wire) in sorted.enumerated() {
            boxes[wire.box].lines[wire.line].channel = start + Double(number) * channel
        }
        return start + Double(wires.count + 1) * channel
    }

    private static func kind(of pin: Wiring.Pin, _ wiring: Wiring) -> String {
        let header = wiring.headers.first { $0.name == pin.header }
        switch header?.pin(pin.number)?.kind {
        case .ground: return "ground"
        case .power: return "power"
        case .gpio, .gpioUnverified: return "used"
        case .adc, .nc, .other, nil: return ""
        }
    }

    private static func words(_ wire: Wiring.Wire) -> String {
        switch wire.through {
        case .contact(.external): "\(wire.use) · \(Resistor.text(Resistor.pull)) to its level"
        case .contact, .wiper: wire.use
        case .lamp(_, let ohms): "\(wire.use) · \(Resistor.text(ohms))"
        case .lampDriver, .load: "\(wire.use) · driver"
        }
    }

    // MARK: Drawing

    private static func draw(
        _ box: Box, _ wiring: Wiring, left: Double, edge: Double, _ across: Double,
        _ svg: inout Markup
    ) {
        svg.open("g", [("class", "box"), ("data-control", box.id)])
        svg.rectangle("part", Face.Area(x: edge, y: box.y, width: across, height: box.height))
        text(box.title, x: edge + 2, y: box.y + 4.2, size: fontSize, "start", "title", &svg)
        for line in box.lines {
            let isLeft = line.pin.number % 2 == 1
            let x = left + (isLeft ? 0 : pitch)
            let n = { (length: Double) in FaceDrawing.number(length) }
            let out = isLeft ? "l\(n(pitch / 2)) \(n(pitch / 2))" : ""
            let y = isLeft ? line.lane - pitch / 2 : line.lane
            svg.empty(
                "path",
                [
                    ("class", "wire \(line.kind)"),
                    (
                        "d",
                        "M\(n(x)) \(n(y))\(out)H\(n(line.channel))V\(n(line.terminal))"
                            + "H\(n(edge + 2))"
                    ),
                ])
            svg.circle("pin used", x: edge + 2, y: line.terminal, radius: 0.7)
            text(
                line.words, x: edge + 4, y: line.terminal + 1, size: fontSize, "start", "", &svg)
        }
        svg.close("g")
    }

    private static func draw(
        _ pin: BoardPin, of header: BoardHeader, _ wiring: Wiring, left: Double, top: Double,
        _ svg: inout Markup
    ) {
        let isLeft = pin.number % 2 == 1
        let x = isLeft ? left : left + pitch
        let y = top + Double((pin.number - 1) / 2) * pitch
        let isFree = wiring.uses(header.name, pin.number).isEmpty
        let own = Wiring.Pin(header: header.name, number: pin.number, name: pin.name)
        svg.circle(
            "pin" + (isFree ? "" : " " + kind(of: own, wiring)), x: x, y: y, radius: pinRadius)
        // The name of a right pin is above its wire.
        text(
            "\(pin.number) \(pin.name)", x: isLeft ? x - 2.4 : x + 2.2,
            y: isLeft ? y + 1 : y - 0.5, size: isLeft ? fontSize : pinFontSize,
            isLeft ? "end" : "start", isFree ? "free" : "", &svg)
    }

    private static func lines(_ wiring: Wiring) -> [String] {
        let labels = Dictionary(
            wiring.wires.map { ($0.id, wiring.labels[$0.control]) },
            uniquingKeysWith: { one, _ in one })
        return ["Parts"]
            + wiring.parts.map { part in
                let controls = part.controls.map { labels[$0] ?? $0 }
                return "\(part.count) × \(part.name): \(controls.joined(separator: ", "))"
            } + wiring.notes
    }

    /// The width of words in the font of the list, where a wider font may stand in.
    private static func width(_ words: String) -> Double {
        TextWidth.millimeters(words, fontSizeMillimeters: fontSize) * otherFont
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

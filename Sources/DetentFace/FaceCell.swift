import DetentCore
import DetentPanel

/// One control on the face: its label, its lamps and its parts, from the top left of its own cell.
struct FaceCell {
    /// The place of its control in the plan.
    let control: Int
    private(set) var labels: [Face.Label] = []
    private(set) var placements: [Face.Placement] = []
    /// All parts that are operated; the lamp where there is none.
    private(set) var core: Face.Area
    private(set) var family: FacePart.Family
    private(set) var width: Double
    private(set) var height: Double

    /// The centre of the operated parts, which all cells of a row have in one line.
    var centerY: Double { core.y + core.height / 2 }

    private static let lineHeight = 4.5
    private static let lampGap = 4.0
    private static let labelGap = 2.0
    private static let optionHeight = 3.0
    /// From the axis of a selector to the names of its positions.
    private static let scaleRadius = 19.0

    /// The cell of a control; nil where nothing of it is on the plate.
    init?(_ control: Int, of plan: PanelPlan) {
        let settings = plan.controls[control].settings
        let words = plan.controls[control].valueNames.words
        let hasLamp = settings.indicator.lines.count > 0
        guard let (part, count) = plan.controls[control].facePart else { return nil }
        self.control = control
        family = part.family

        let partsWidth = part.width * Double(count)
        let list = Self.lampList(of: settings, part: part, words: words)
        let label = plan.controls[control].label
        let size = Face.Label.Size.control
        let lines = TextWidth.lines(
            label, width: max(partsWidth, 30), fontSizeMillimeters: size.fontSizeMillimeters,
            count: 2)
        let labelWidth =
            lines.map {
                TextWidth.millimeters($0, fontSizeMillimeters: size.fontSizeMillimeters)
            }.max() ?? 0
        // The centre of a width of whole centimetres is on the grid of 5 mm.
        width = ((max(labelWidth, partsWidth + 2 * list.width) / 10).rounded(.up)) * 10
        let labelHeight = Double(lines.count) * Self.lineHeight
        labels.append(
            Face.Label(
                lines: lines, size: size, alignment: .middle,
                area: Face.Area(x: 0, y: 0, width: width, height: labelHeight)))
        var y = labelHeight + Self.labelGap
        if hasLamp, part.family != .lamp, part.family != .key, list.names.isEmpty {
            let lamp = FacePart.lamp
            let area = Face.Area(
                x: (width - lamp.width) / 2, y: y, width: lamp.width, height: lamp.height)
            placements.append(Face.Placement(part: lamp, control: control, area: area, option: nil))
            y = area.bottom + Self.lampGap
        }
        let coreHeight = max(part.height, list.height)
        core = Face.Area(
            x: (width - partsWidth) / 2, y: y + (coreHeight - part.height) / 2, width: partsWidth,
            height: part.height)
        height = y + coreHeight
        place(part, count, words)
        placeList(list, y: y + (coreHeight - list.height) / 2)
    }

    private mutating func place(_ part: FacePart, _ count: Int, _ words: [String]) {
        for number in 0..<count {
            let area = Face.Area(
                x: core.x + part.width * Double(number), y: core.y, width: part.width,
                height: part.height)
            let option = part.family == .key && words.count == count ? words[number] : nil
            placements.append(
                Face.Placement(part: part, control: control, area: area, option: option))
        }
        if part.family == .selector { placePositions(words) }
    }

    /// The names of a selector's positions, around its knob from the left over the top.
    private mutating func placePositions(_ words: [String]) {
        let size = Face.Label.Size.option
        // 30 degrees between positions, less where more than 300 degrees would be needed.
        let step = min(30, 300 / Double(max(1, words.count - 1)))
        let first = -step * Double(words.count - 1) / 2
        for (number, word) in words.enumerated() {
            let angle = first + step * Double(number)
            let width = TextWidth.millimeters(word, fontSizeMillimeters: size.fontSizeMillimeters)
            var (x, y) = Angle.point(degrees: angle, radius: Self.scaleRadius)
            let alignment: Face.Label.Alignment
            if abs(angle) < 1 {
                // Above its neighbours, which are nearly as high.
                (x, y) = (-width / 2, y + Self.optionHeight)
                alignment = .middle
            } else if angle < 0 {
                x -= width
                alignment = .end
            } else {
                alignment = .start
            }
            let area = Face.Area(
                x: core.x + core.width / 2 + x,
                y: core.y + core.height / 2 - y - Self.optionHeight / 2, width: width,
                height: Self.optionHeight)
            labels.append(
                Face.Label(lines: [word], size: size, alignment: alignment, area: area))
        }
    }

    // MARK: Lamps of options

    /// A column of lamps with the names of their options, right of the part.
    private struct LampList {
        var names: [String] = []
        /// 0 where there is none.
        var width: Double = 0
        var height: Double { Double(names.count) * 10 }
    }

    private static func lampList(
        of settings: ControlSettings, part: FacePart, words: [String]
    ) -> LampList {
        guard settings.indicator.style == .perOption, part.family != .key else { return LampList() }
        let names = Array(words.prefix(Int(settings.indicator.lines.count)))
        let size = Face.Label.Size.option.fontSizeMillimeters
        let text = names.map { TextWidth.millimeters($0, fontSizeMillimeters: size) }.max() ?? 0
        return LampList(names: names, width: lampGap + FacePart.lamp.width + 2 + text)
    }

    private mutating func placeList(_ list: LampList, y: Double) {
        let lamp = FacePart.lamp
        for (number, name) in list.names.enumerated() {
            let area = Face.Area(
                x: core.right + Self.lampGap, y: y + Double(number) * 10 + 1, width: lamp.width,
                height: lamp.height)
            placements.append(
                Face.Placement(part: lamp, control: control, area: area, option: name))
            labels.append(
                Face.Label(
                    lines: [name], size: .option, alignment: .start,
                    area: Face.Area(
                        x: area.right + 2, y: area.y + 2.5, width: list.width - 14, height: 3)))
        }
    }

    // MARK: Parts

    /// A selector's knob with room for the names of its positions.
    private static func selector(of control: ControlPlan) -> FacePart {
        let size = Face.Label.Size.option.fontSizeMillimeters
        let widest =
            control.valueNames.words.map {
                TextWidth.millimeters($0, fontSizeMillimeters: size)
            }.max() ?? 0
        var part = FacePart.selectorKnob
        part.width = max(part.width, 2 * (scaleRadius + widest))
        return part
    }
}

/// Points on a circle, without a mathematics library.
enum Angle {
    /// The point at an angle from the top, clockwise; `x` to the right, `y` up.
    static func point(degrees: Double, radius: Double) -> (x: Double, y: Double) {
        let turns = (degrees / 360).rounded()
        let angle = (degrees - turns * 360) * .pi / 180
        return (radius * sine(angle), radius * sine(.pi / 2 - abs(angle)))
    }

    /// The sine by its series, for -π to π: eleven terms are exact to 1e-12 there.
    private static func sine(_ angle: Double) -> Double {
        var term = angle
        var sum = angle
        for number in 1...11 {
            term *= -angle * angle / Double(2 * number * (2 * number + 1))
            sum += term
        }
        return sum
    }
}

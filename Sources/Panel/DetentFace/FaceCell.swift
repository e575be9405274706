import DetentCore
import DetentPanel
import DetentTypes

/// One control on the face: its label, its lamps and its parts, from the top left of its own cell.
///
/// It does not change after its initialiser, so any thread may read it. It is an object because
/// thousands of trial rows hold it: a value of this size would be copied into each.
final class FaceCell: @unchecked Sendable {
    /// The place of its control in the plan.
    let control: Int
    let family: FacePart.Family
    /// What it does in a form.
    let role: FaceMembers.Role
    /// The group of checkboxes of its box that it is a member of.
    let parent: Int?
    /// From the left of its box where it is the first of a line: members are right of their parent.
    let indent: Double
    private(set) var labels: [Face.Label] = []
    private(set) var placements: [Face.Placement] = []
    /// All parts that are operated; the lamp where there is none.
    private(set) var core = Face.Area(x: 0, y: 0, width: 0, height: 0)
    private(set) var columns = 1
    private(set) var window: Face.Area?
    private(set) var width = 0.0
    private(set) var height = 0.0

    /// The centre of the operated parts, which all cells of a row have in one line.
    var centerY: Double { core.y + core.height / 2 }

    /// The centre of the operated parts, which all cells of a column have in one line.
    var centerX: Double { core.x + core.width / 2 }

    private let plan: ControlPlan
    let part: FacePart
    private let count: Int
    private let words: [String]
    /// Letters in a row, and rows, of the display that shows it; none without a display.
    private let display: (columns: Int, rows: Int)

    private static let lineHeight = 4.5
    private static let lampGap = 3.0
    /// The least height of a lamp with its words: a finger has room there.
    private static let lampHeight = 10.0
    private static let labelGap = 2.0
    private static let optionHeight = 3.0
    /// The line below a part: its value in words, or what is said of it.
    static let saidHeight = 5.0
    /// A label is broken into two lines where it is wider than this and than its part.
    private static let labelWidth = 25.0
    /// From the axis of a selector to the names of its positions.
    private static let scaleRadius = 19.0
    /// Members of a group of checkboxes are so far right of their parent.
    private static let indent = 10.0

    /// The cell of a control; without hardware it has room and a label, but no part.
    ///
    /// - Parameter limit: the width at which keys go on in a second row.
    init(_ control: Int, of plan: PanelPlan, _ members: FaceMembers, limit: Double = .infinity) {
        self.control = control
        self.plan = plan.controls[control]
        role = members.roles[control]
        parent = members.parents[control]
        indent = Self.indent * Double(members.depth(of: control))
        words = self.plan.titles
        let shown = plan.display(of: ControlID(UInt16(control))).map { plan.displays[$0] }
        display = (shown?.columns ?? 0, shown?.rows ?? 0)
        let mounted = self.plan.facePart
        let (part, count) = mounted ?? self.plan.imaginedPart
        self.count = count
        family = part.family
        self.part = self.plan.sized(part, count: count)
        columns = Self.columns(count, width: self.part.width, limit: limit)
        if family == .lamp { layOutLamp() } else { layOutPart() }
        if mounted == nil { placements = [] }
    }

    /// How many keys are beside each other, in rows of equal length.
    private static func columns(_ count: Int, width: Double, limit: Double) -> Int {
        let most = min(Double(count), max(1, (limit / width).rounded(.down)))
        let rows = (Double(count) / most).rounded(.up)
        return Int((Double(count) / rows).rounded(.up))
    }

    private static func length(_ text: String, _ size: Face.Label.Size) -> Double {
        TextWidth.millimeters(text, fontSizeMillimeters: size.fontSizeMillimeters)
    }

    // MARK: Lamps

    /// A lamp alone has its label at its right.
    private func layOutLamp() {
        let lines = TextWidth.lines(
            plan.label, width: 30, most: ControlPlan.widestLabel,
            fontSizeMillimeters: Face.Label.Size.control.fontSizeMillimeters,
            count: 2)
        let text = lines.map { Self.length($0, .control) }.max() ?? 0
        let labelHeight = Double(lines.count) * Self.lineHeight
        height = max(part.height, labelHeight, Self.lampHeight)
        let lamps = max(1, Int(plan.settings.indicator.lines.count))
        let isRow = plan.settings.indicator.style == .perOption
        let number = isRow ? lamps : 1
        core = Face.Area(
            x: 0, y: (height - part.height) / 2,
            width: max(part.width * Double(number) + 2 * Double(number - 1), flagWidth),
            height: part.height)
        for place in 0..<number {
            add(part, x: core.x + Double(place) * (part.width + 2), y: core.y, option: nil)
        }
        let x = core.right + Self.lampGap
        labels.append(
            Face.Label(
                lines: lines, size: .control, alignment: .start,
                area: Face.Area(
                    x: x, y: (height - labelHeight) / 2, width: text, height: labelHeight),
                control: control))
        width = max(((x + text) / 5).rounded(.up) * 5, room)
    }

    /// The room for the value in words, in place of the lamp that is missing.
    private var flagWidth: Double {
        guard plan.facePart == nil, plan.settings.nature.role != .form else { return 0 }
        return (words.map { Self.length($0, .option) }.max() ?? 0) + 4
    }

    /// The room that `span` asks for.
    private var room: Double {
        plan.layout.span > 1 ? Double(plan.layout.span) * ControlPlan.column : 0
    }

    /// Whether lamps are inside the caps of their control.
    private var hasLampInside: Bool { family == .pushButton || family == .key }

    // MARK: Parts

    private func layOutPart() {
        let indicator = plan.settings.indicator
        let isPerOption = indicator.style == .perOption
        let hasLamp = indicator.lines.count > 0 && !hasLampInside && !isPerOption
        let rows = (Double(count) / Double(columns)).rounded(.up)
        let size = (width: part.width * Double(columns), height: part.height * rows)
        let sides = sideWidth(hasLamp: hasLamp)
        let windowWidth = self.windowWidth
        let least = family == .pushButton ? Self.buttonRoom : 0
        let inner = max(size.width + 2 * sides, windowWidth, room, least)
        var y = 0.0
        if !isWrittenOnPart {
            // A lamp of a knob is beside its label.
            let isBeside = hasLamp && family != .toggle
            y = addLabel(
                inner: inner, lamp: isBeside ? FacePart.lamp.width + Self.lampGap : 0)
        }
        width = max(width, (inner / 10).rounded(.up) * 10)
        let middle = width / 2
        for index in labels.indices { labels[index].area.x += middle }
        if hasLamp, family != .toggle, let label = labels.first {
            add(
                .lamp, x: label.area.x - Self.lampGap - FacePart.lamp.width,
                y: label.area.y + (label.area.height - FacePart.lamp.height) / 2, option: nil)
        }
        if windowWidth > 0 {
            window = Face.Area(
                x: middle - windowWidth / 2, y: y, width: windowWidth, height: windowHeight)
            y += windowHeight + 3
        }
        let positions = family == .selector ? positions(hasLamps: isPerOption) : []
        // The names above a selector need room over its knob.
        y += max(0, -(positions.map(\.top).min() ?? 0) - size.height / 2)
        core = Face.Area(x: middle - size.width / 2, y: y, width: size.width, height: size.height)
        height = max(core.bottom, centerY + (positions.map(\.bottom).max() ?? 0))
        height += Self.saidHeight
        placeParts()
        if hasLamp, family == .toggle {
            add(
                .lamp, x: core.x - Self.lampGap - FacePart.lamp.width,
                y: centerY - FacePart.lamp.height / 2, option: nil)
        }
        switch family {
        case .selector: layOut(positions)
        case .toggle:
            if plan.look == .threeWay { placeThrows(hasLamps: isPerOption) }
        case .knob:
            if isPerOption { placeLamps() }
        case .pushButton, .key, .lamp: break
        }
    }

    /// What is beside the part, on the wider side; the part is in the middle of the cell.
    private func sideWidth(hasLamp: Bool) -> Double {
        let names = words.map { Self.length($0, .option) }.max() ?? 0
        let isPerOption = plan.settings.indicator.style == .perOption
        switch family {
        case .toggle:
            let lamp = hasLamp ? FacePart.lamp.width + Self.lampGap : 0
            let positions = plan.look == .threeWay ? names + 3 + (isPerOption ? 10 : 0) : 0
            return max(lamp, positions)
        case .knob: return Self.fingers
        case .selector:
            let reach = positions(hasLamps: isPerOption).map {
                max($0.words.right, -$0.words.x)
            }
            return max(0, (reach.max() ?? 0) - part.width / 2)
        case .pushButton, .key, .lamp: return 0
        }
    }

    /// A window has room for one row of large letters, or for each row of its display.
    private var windowHeight: Double { max(11, Double(display.rows) * 4.25 + 3) }
    /// The room of a small button: its neighbours are farther away than it is wide.
    private static let buttonRoom = 30.0
    /// Room for fingers on both sides of a knob; the page has its buttons for single steps there.
    private static let fingers = 12.0

    /// Room for a display over an encoder or the buttons of a menu.
    private var windowWidth: Double {
        guard family == .knob || plan.look.isMenu else { return 0 }
        let longest = words.map(\.count).max() ?? 0
        let letters = max(plan.look == .menu ? plan.label.count : longest, display.columns)
        let text = max(Double(letters) * 2.4 + 12, 40)
        return max(min((text / 10).rounded(.up) * 10, 80), room)
    }

    /// Whether the words are on the cap or in the window. A cap with a number shows the number.
    private var isWrittenOnPart: Bool {
        if plan.look == .menu { return true }
        return part.word == FacePart.legendButton.word && plan.settings.nature.range == nil
    }

    /// Adds the label, around the middle for now; gives the height after it.
    private func addLabel(inner: Double, lamp: Double) -> Double {
        let room = max(inner, Self.labelWidth)
        let lines = TextWidth.lines(
            plan.label, width: room, most: max(inner, ControlPlan.widestLabel),
            fontSizeMillimeters: Face.Label.Size.control.fontSizeMillimeters, count: 2)
        let text = lines.map { Self.length($0, .control) }.max() ?? 0
        let height = max(Double(lines.count) * Self.lineHeight, lamp > 0 ? 8 : 0)
        width = ((text + 2 * lamp) / 10).rounded(.up) * 10
        labels.append(
            Face.Label(
                lines: lines, size: .control, alignment: .middle,
                area: Face.Area(x: -text / 2, y: 0, width: text, height: height),
                control: control))
        return height + Self.labelGap
    }

    private func add(_ part: FacePart, x: Double, y: Double, option: String?) {
        placements.append(
            Face.Placement(
                part: part, control: control,
                area: Face.Area(x: x, y: y, width: part.width, height: part.height),
                option: option))
    }

    private func placeParts() {
        for number in 0..<count {
            let option = family == .key && words.count == count ? words[number] : nil
            add(
                part, x: core.x + part.width * Double(number % columns),
                y: core.y + part.height * Double(number / columns), option: option)
        }
    }

    private func addOption(
        _ word: String, alignment: Face.Label.Alignment, area: Face.Area
    ) {
        labels.append(
            Face.Label(
                lines: [word], size: .option, alignment: alignment, area: area, control: control))
    }

    /// The names of a three-way lever's positions at its right, the highest first.
    private func placeThrows(hasLamps: Bool) {
        for (place, word) in words.reversed().enumerated() {
            let y = core.y + part.height * (Double(place) + 0.5) / 3
            var x = core.right + 3
            if hasLamps {
                add(.lamp, x: x, y: y - 4, option: word)
                x += 10
            }
            addOption(
                word, alignment: .start,
                area: Face.Area(
                    x: x, y: y - 1.5, width: Self.length(word, .option), height: 3))
        }
    }

    /// A column of lamps right of a knob, a lamp for each option.
    private func placeLamps() {
        let lamps = words.prefix(Int(plan.settings.indicator.lines.count))
        let pitch = FacePart.lamp.height + 2
        let first = max(0, centerY - pitch * Double(lamps.count) / 2)
        for (place, word) in lamps.enumerated() {
            add(.lamp, x: core.right + 3, y: first + pitch * Double(place), option: word)
        }
        height = max(height, first + pitch * Double(lamps.count) + Self.saidHeight)
    }

    /// A position of a selector: its words and its lamp, from the axis of the knob.
    private struct Position {
        var word: String
        var words: Face.Area
        var alignment: Face.Label.Alignment
        var lamp: (x: Double, y: Double)?

        var top: Double { min(words.y, lamp?.y ?? words.y) }
        var bottom: Double { max(words.bottom, lamp.map { $0.y + FacePart.lamp.height } ?? 0) }
    }

    /// The positions of a selector, around its knob from the left over the top.
    ///
    /// Names and lamps that would touch move up, those at the bottom keep their place.
    private func positions(hasLamps: Bool) -> [Position] {
        // 30 degrees between positions, less where more than 300 degrees would be needed.
        let step = min(30, 300 / Double(max(1, words.count - 1)))
        let first = -step * Double(words.count - 1) / 2
        let angles = words.indices.map { first + step * Double($0) }
        let lamp = hasLamps ? FacePart.lamp.width : 0
        let pitch = hasLamps ? FacePart.lamp.height + 1 : Self.optionHeight + 0.5
        var positions: [Int: Position] = [:]
        var highest = Double.infinity
        for isLeft in [true, false] {
            var limit = Double.infinity
            let side = angles.indices.filter { isLeft ? angles[$0] < -1 : angles[$0] > 1 }
            // From the bottom of each side to its top.
            for number in isLeft ? side : side.reversed() {
                var (x, y) = Angle.point(degrees: angles[number], radius: Self.scaleRadius)
                y = min(-y, limit)
                limit = y - pitch
                let clear = part.width / 2 + 2
                x = max(abs(x), abs(y) < clear ? (clear * clear - y * y).squareRoot() : 0)
                positions[number] = position(words[number], x: x, y: y, lamp, isLeft: isLeft)
            }
            highest = min(highest, limit)
        }
        if let middle = angles.indices.first(where: { abs(angles[$0]) <= 1 }) {
            let width = Self.length(words[middle], .option)
            // With lamps, the lamp is under the name; the lamps at its sides leave room for it.
            let y = min(highest, -Self.scaleRadius - Self.optionHeight / 2)
            let lampY = min(-Self.scaleRadius + 1, y + pitch - 1) - lamp
            positions[middle] = Position(
                word: words[middle],
                words: Face.Area(
                    x: -width / 2, y: min(y, hasLamps ? lampY - 2 : y) - Self.optionHeight / 2,
                    width: width, height: Self.optionHeight),
                alignment: .middle, lamp: hasLamps ? (-lamp / 2, lampY) : nil)
        }
        return angles.indices.compactMap { positions[$0] }
    }

    /// A position at a side of the knob: `x` from its axis, `y` down.
    private func position(
        _ word: String, x: Double, y: Double, _ lamp: Double, isLeft: Bool
    ) -> Position {
        let width = Self.length(word, .option)
        let start = x + (lamp > 0 ? lamp + 1 : 0)
        return Position(
            word: word,
            words: Face.Area(
                x: isLeft ? -start - width : start, y: y - Self.optionHeight / 2, width: width,
                height: Self.optionHeight),
            alignment: isLeft ? .end : .start,
            lamp: lamp > 0 ? (isLeft ? -x - lamp : x, y - lamp / 2) : nil)
    }

    private func layOut(_ positions: [Position]) {
        let middle = centerX
        for position in positions {
            if let lamp = position.lamp {
                add(.lamp, x: middle + lamp.x, y: centerY + lamp.y, option: position.word)
            }
            addOption(
                position.word, alignment: position.alignment,
                area: position.words.moved(x: middle, y: centerY))
        }
    }
}

extension ControlPlan {
    /// What the page draws of a control without hardware, and how many of it.
    fileprivate var imaginedPart: (part: FacePart, count: Int) {
        let isShown = settings.isReported || settings.nature.role != .device
        switch look {
        case .button, .cap: return (cap, 1)
        case .switch, .checkbox: return (isShown ? .lamp : .miniToggle, 1)
        case .threeWay: return (.miniToggle, 1)
        case .knob: return (.knob, 1)
        case .row, .segments: return (.key, max(1, valueNames.words.count))
        case .popUp, .menu: return (.key, 1)
        case .lamp: return (.lamp, 1)
        }
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

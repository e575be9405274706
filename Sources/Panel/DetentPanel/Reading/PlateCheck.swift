/// Checks the keys `part` and `at`: what fits, what is on the plate, and what is too near.
struct PlateCheck {
    private let log: ProblemLog
    private let plan: PanelPlan
    private let nodes: [String: YAMLNode]

    init(_ root: YAMLNode, _ plan: PanelPlan, _ log: ProblemLog) {
        self.log = log
        self.plan = plan
        let entries = (root["controls"]?.entries ?? []).prefix(Limits.controls)
        nodes = Dictionary(entries.map { ($0.name, $0.value) }, uniquingKeysWith: { one, _ in one })
    }

    /// A part that has been placed.
    private struct Placed {
        var id: String
        var node: YAMLNode
        var part: FacePart
        var left: Double
        var right: Double
        var top: Double
        var bottom: Double

        func distance(to other: Placed) -> Double {
            let x = max(0, other.left - right, left - other.right)
            let y = max(0, other.top - bottom, top - other.bottom)
            return (x * x + y * y).squareRoot()
        }

        func overlaps(_ other: Placed) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    /// Checks all controls; the time is quadratic in the number of controls with `at`.
    func check() {
        for control in plan.controls { checkPart(control) }
        let placed = plan.controls.compactMap(placed)
        for (index, one) in placed.enumerated() {
            checkEdges(one)
            // One problem for each control is enough to act on.
            let others = placed[..<index]
            if let other = others.first(where: one.overlaps) {
                log.error(
                    .partsOverlap, at: one.node.place,
                    "`\(one.id)` overlaps `\(other.id)`",
                    help: "move them apart: `\(one.id)` is \(Self.words(one.part)) in size, "
                        + "`\(other.id)` \(Self.words(other.part))")
            } else if let other = others.first(where: { isTooNear(one, $0) }) {
                let least = FacePart.leastDistance(one.part.family, other.part.family)
                log.warning(
                    .partsTooNear, at: one.node.place,
                    "`\(one.id)` is \(Self.text(one.distance(to: other)))mm from `\(other.id)`",
                    help: "leave at least \(Self.text(least))mm between a \(one.part.word) and a "
                        + "\(other.part.word)")
            }
        }
    }

    private func isTooNear(_ one: Placed, _ other: Placed) -> Bool {
        one.distance(to: other) < FacePart.leastDistance(one.part.family, other.part.family) - 0.001
    }

    private func placed(_ control: ControlPlan) -> Placed? {
        guard control.layout.isOnPlate, let point = control.layout.place,
            let node = nodes[control.id]?["at"]
        else { return nil }
        guard let (part, count) = control.facePart else {
            log.error(
                .partDoesNotFit, at: node.place, "`\(control.id)` has no part to place",
                help: "remove `at`, or give the control an `input`")
            return nil
        }
        let width = part.width * Double(count)
        return Placed(
            id: control.id, node: node, part: part, left: point.x - width / 2,
            right: point.x + width / 2, top: point.y - part.height / 2,
            bottom: point.y + part.height / 2)
    }

    private func checkEdges(_ one: Placed) {
        let right = plan.plateMillimeters ?? Double(Limits.plateMillimeters)
        let isInside =
            one.left >= 0 && one.top >= 0 && one.right <= right
            && one.bottom <= Double(Limits.plateMillimeters)
        guard !isInside else { return }
        log.error(
            .outsidePlate, at: one.node.place, "`\(one.id)` is not inside the plate",
            help: "keep its middle at least \(Self.text((one.right - one.left) / 2))mm from the "
                + "left and right edges, and \(Self.text(one.part.height / 2))mm from the upper "
                + "edge; the plate is \(Self.text(right))mm wide")
    }

    private func checkPart(_ control: ControlPlan) {
        guard let part = control.layout.part, let node = nodes[control.id]?["part"] else { return }
        let expected = control.defaultFacePart?.part
        guard part.family != expected?.family || part.hasCover != expected?.hasCover else { return }
        let fitting = FacePart.all.filter {
            $0.family == expected?.family && $0.hasCover == expected?.hasCover
        }
        log.error(
            .partDoesNotFit, at: node.place, "a `\(part.word)` does not fit `\(control.id)`",
            help: fitting.isEmpty
                ? "remove `part`: the control has no part"
                : "parts that fit: \(fitting.map(\.word).joined(separator: ", "))")
    }

    private static func words(_ part: FacePart) -> String {
        "\(text(part.width)) × \(text(part.height))mm"
    }

    /// A length with at most one decimal.
    private static func text(_ length: Double) -> String {
        let text = DecimalNumber.text(units: Int64((length * 10).rounded()), decimals: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

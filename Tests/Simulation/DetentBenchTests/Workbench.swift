import DetentPanel
import DetentTypes
import DetentWorld
import Testing

@testable import DetentBench

/// A part of the simulator, and what its lines do.
struct Workbench {
    let plan: PanelPlan
    private var model: PhysicalModel
    private(set) var edges: [LineEdge] = []
    let rest: [Bool]

    static let part = ControlID(0)

    /// - Parameter keys: the keys of the only control.
    init(_ keys: String, seed: UInt64, bounce: BounceChoice) throws {
        let text =
            "panel: Test\nboard: none\ncontrols:\n  part:\n    label: Part\n"
            + keys.split(separator: "\n").map { "    \($0)\n" }.joined()
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        plan = try #require(reading.plan, "\(reading.problems)")
        model = PhysicalModel(plan, seed: seed, bounce: bounce)
        rest = Self.levels(plan, model)
    }

    private static func levels(_ plan: PanelPlan, _ model: PhysicalModel) -> [Bool] {
        plan.lines.indices.map { line in
            let isClosed = model.level(of: LineID(UInt16(line))) == .active
            return isClosed != plan.lines[line].isActiveLow
        }
    }

    /// Performs a gesture, and waits until the part rests for two seconds.
    mutating func perform(_ gesture: Gesture) throws {
        try model.apply(gesture, at: model.now)
        var found: [LineEdge] = []
        let collect: (PhysicalEdge) -> Void = { edge in
            found.append(LineEdge(at: edge.at, line: Int(edge.line.index), isHigh: edge.isHigh))
        }
        while model.nextChange != .never { model.advance(to: model.nextChange, emit: collect) }
        model.advance(to: model.now + .seconds(2), emit: collect)
        edges += found
    }

    /// What the classifier makes of all edges so far.
    func result(isPulledUp: Bool = true) -> PartClassifier.Result? {
        var classifier = PartClassifier(levels: rest, isPulledUp: isPulledUp)
        for edge in edges { classifier.take(edge) }
        return classifier.result()
    }

    static let profiles = [
        "none", "tactile", "toggle-lever", "rotary-wafer-bbm",
        "rotary-wafer-mbb", "mechanical-encoder", "cherry-mx", "reed",
    ]

    static func bounce(_ name: String) throws -> BounceChoice {
        try .all(#require(BounceCatalogue.builtIn.profile(named: name).profile))
    }
}

public import DetentCore

/// A buffer that holds one engine; freed with this value.
public struct EngineStorage: ~Copyable {
    /// The bytes, aligned for any type.
    public let bytes: UnsafeMutableRawBufferPointer

    /// Allocates memory for an engine of a capacity.
    public init(for capacity: Capacity) {
        bytes = .allocate(byteCount: Engine.byteCount(for: capacity), alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }
}

extension PanelPlan {
    /// The capacity that an engine needs for this panel.
    public var capacity: Capacity {
        Capacity(
            lines: lines.count, controls: controls.count + gestures.count, actions: actions.count,
            relations: relations.settings.count, links: relations.links.count,
            conditionSteps: relations.conditionSteps.count,
            sequenceSteps: relations.sequenceSteps.count, items: relations.items.count)
    }

    /// Makes the engine of this panel in `storage`, which must be for `capacity` and must outlive
    /// the engine.
    ///
    /// Lines, actions and controls have the same indices as in the plan.
    ///
    /// - Throws: `EngineError` if the plan exceeds a limit that the reader should have reported.
    public func makeEngine(in storage: borrowing EngineStorage) throws(EngineError) -> Engine {
        var engine = Engine(capacity: capacity, storage: storage.bytes)
        for line in lines {
            switch line.use {
            case .contact(let contact): _ = try engine.addLine(contact.debounce)
            case .indicator, .output: _ = try engine.addLine()
            }
        }
        for link in relations.links { try engine.addLink(link) }
        for step in relations.conditionSteps { try engine.addConditionStep(step) }
        for step in relations.sequenceSteps { try engine.addSequenceStep(step) }
        for item in relations.items { try engine.addItem(item) }
        for relation in relations.settings { _ = try engine.addRelations(relation) }
        for action in actions { _ = try engine.addAction(action.settings) }
        for control in controls { _ = try engine.addControl(control.settings) }
        for gesture in gestures { _ = try engine.addControl(gesture.settings) }
        try engine.setPanel(settings)
        return engine
    }
}

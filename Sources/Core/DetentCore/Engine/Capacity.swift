/// How much an engine can hold; fixed when it is made.
public struct Capacity: Equatable, Sendable, BitwiseCopyable {
    /// Lines of all sorts, at most 65,535.
    public var lines: Int
    /// Controls.
    public var controls: Int
    /// Actions, over all controls.
    public var actions: Int
    /// Controls that have relations.
    public var relations: Int
    /// Links between controls.
    public var links: Int
    /// Steps of all conditions.
    public var conditionSteps: Int
    /// Steps of all actions that the core does by itself.
    public var sequenceSteps: Int
    /// Items of all menus.
    public var items: Int

    /// Makes a capacity.
    public init(
        lines: Int, controls: Int, actions: Int, relations: Int = 0, links: Int = 0,
        conditionSteps: Int = 0, sequenceSteps: Int = 0, items: Int = 0
    ) {
        self.lines = lines
        self.controls = controls
        self.actions = actions
        self.relations = relations
        self.links = links
        self.conditionSteps = conditionSteps
        self.sequenceSteps = sequenceSteps
        self.items = items
    }
}

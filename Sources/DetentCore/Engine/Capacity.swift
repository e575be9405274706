/// How much an engine can hold; fixed when it is made.
public struct Capacity: Equatable, Sendable, BitwiseCopyable {
    /// Lines of all sorts, at most 65,535.
    public var lines: Int
    /// Controls.
    public var controls: Int
    /// Actions, over all controls.
    public var actions: Int

    /// Makes a capacity.
    public init(lines: Int, controls: Int, actions: Int) {
        self.lines = lines
        self.controls = controls
        self.actions = actions
    }
}

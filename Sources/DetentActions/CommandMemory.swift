import DetentTypes

/// What was made for attempts before, ready for an equal attempt.
///
/// A request is the same whenever its action, control, values and origin are, if no secret is in
/// it: secrets are read for each attempt. Only the number of the attempt differs. A look-up
/// allocates nothing. Synchronization: none.
package struct CommandMemory<Content: AnyObject> {
    private struct Key: Hashable {
        let action: UInt16
        let control: ControlID
        let value: Value
        let previous: Value
        let origin: Origin

        init(_ command: ActionCommand) {
            action = command.action
            control = command.control
            value = command.value
            previous = command.previous
            origin = command.origin
        }
    }

    private var contents: [Key: Content] = [:]
    private let limit: Int

    /// Makes an empty memory.
    ///
    /// - Parameter limit: how much it keeps; at the limit it forgets everything.
    package init(limit: Int) { self.limit = limit }

    /// How much it keeps.
    package var count: Int { contents.count }

    /// What was made for an equal command; nil if nothing was.
    package subscript(command: ActionCommand) -> Content? { contents[Key(command)] }

    /// Remembers what was made for a command.
    package mutating func learn(_ content: Content, for command: ActionCommand) {
        let key = Key(command)
        if contents[key] == nil, contents.count >= limit { contents = [:] }
        contents[key] = content
    }

    /// Forgets everything.
    package mutating func forget() { contents = [:] }
}

/// What an action or a step does, by its key in the panel file.
enum ActionKind: String, CaseIterable {
    /// A program. It leaves the process.
    case run
    /// The core does these.
    case output, set, wait, sequence
}

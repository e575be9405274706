/// Something that must never be.
public enum Invariant: String, CaseIterable, Sendable {
    /// Reports are in order of time.
    case time = "time goes on"
    /// Each press has one release.
    case presses = "presses and releases alternate"
    /// Each change is a change.
    case changes = "no value is told twice"
    /// A value is an option, or within the range.
    case values = "a value is one that its control has"
    /// A control has one attempt at a time, and each of its gestures that act.
    case attempts = "one attempt in flight"
    /// Law 8, of contacts.
    case contacts = "the contact is the world's level once quiet"
    /// Law 8, of positions.
    case positions = "the position is the part's once quiet"
    /// A value follows its part.
    case follows = "under follow the value is the position"
    /// A press while nothing else happens does what the kind says.
    case obeys = "a press in peace has its value"
    /// No detent is lost or counted twice.
    case dials = "a dial is the sum of its detents"
    /// Law 9.
    case outputs = "never two outputs on"
    /// Law 9, of the dead time.
    case gaps = "the dead time passes between two outputs"
    /// Outputs with levels, and that one which refuses its level is a fault.
    case levels = "an output with levels is as strong as its control says, or a fault"
    /// A disabled control accepts nothing.
    case disabled = "nothing is asked of what is disabled"
    /// Nothing stays under way.
    case phases = "every phase ends"
    /// Groups, forms and indicators show others.
    case sums = "groups, forms and indicators are what they show once quiet"
    /// Law 11.
    case truth = "at rest a flag says that the device differs or is unknown"
    /// Law 11, of requests.
    case requests = "each request is answered once"
    /// A reload of an unchanged file changes no value, starts no action and writes no output.
    case reloads = "a reload of the same file tells nothing"
    /// Menus and confirmations end.
    case menus = "menus close and confirmations lapse by themselves"
}

import DetentCore
import DetentTypes

extension Kind {
    /// A detail setting: alone, in a group, or in a form.
    static let checkbox = Kind(
        word: "checkbox",
        look: .checkbox,
        summary: "A detail setting that is on or off: alone, in a `checkbox-group`, or in a "
            + "`form`. With `latch` it is a push button, else a lever.",
        requires: `switch`.requires,
        allows: `switch`.allows.filter { $0 != "members" },
        make: `switch`.make)
}

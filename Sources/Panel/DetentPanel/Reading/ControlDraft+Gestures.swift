import DetentCore
import DetentTypes

extension ControlDraft {
    /// The gestures of this control's push button.
    func gestures() -> ButtonSettings {
        var settings = ButtonSettings()
        if let click = self["click"] {
            settings.clickWithin = click["within"]?.durationValue ?? settings.clickWithin
            settings.isClickPostponed = click["report"]?.text == "postponed"
        }
        if let double = self["double-click"], let gap = double.time("gap") {
            settings.multiClickGap = gap
            settings.multiClickCount = 2
            refuse(
                "multi-click", because: "`multi-click` and `double-click` cannot be combined",
                help: "remove one of them; `multi-click: {count: 2, gap: …}` is a double click")
        } else if let several = self["multi-click"] {
            settings.multiClickGap = several["gap"]?.durationValue ?? .zero
            settings.multiClickCount = UInt8(clamping: several["count"]?.integerValue ?? 2)
        }
        if let click = self["click"], settings.isClickPostponed,
            settings.multiClickGap == .zero
        {
            log.error(
                .missingKey, at: click["report"]?.place ?? click.place,
                "`report: postponed` requires `double-click` or `multi-click`",
                help: "add `double-click: 400ms`, or write `report: immediate`")
        }
        settings.hold = self["hold"]?.time("after") ?? .zero
        if let again = self["repeat"] {
            settings.repeatAfter = again["after"]?.durationValue ?? .zero
            settings.repeatEvery = again["every"]?.durationValue ?? .zero
        }
        return settings
    }
}

extension YAMLNode {
    /// A time in the short form, or in the map of the long one.
    fileprivate func time(_ key: String) -> TimeSpan? { durationValue ?? self[key]?.durationValue }
}

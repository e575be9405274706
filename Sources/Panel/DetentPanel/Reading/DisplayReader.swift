import DetentCore
import DetentTypes

/// Reads the displays of a panel, and which control is shown where.
struct DisplayReader {
    private let schema: Schema
    private let log: ProblemLog
    private let root: YAMLNode
    private var displays: [DisplayPlan] = []
    /// Where each display is given.
    private var nodes: [YAMLNode] = []

    init(_ root: YAMLNode, _ schema: Schema, _ log: ProblemLog) {
        self.schema = schema
        self.root = root
        self.log = log
    }

    /// The displays of the controls of a plan.
    mutating func read(_ controls: [ControlPlan]) -> [DisplayPlan] {
        for entry in (root["displays"]?.entries ?? []).prefix(Limits.displays) {
            add(entry.value, named: entry.name)
        }
        let names = displays.map(\.name)
        let shown = Dictionary(
            (root["controls"]?.entries ?? []).compactMap { entry in
                entry.value["display"].map { (entry.name, $0) }
            }
        ) { first, _ in first }
        for (place, control) in controls.enumerated() {
            guard let node = shown[control.id] else { continue }
            let id = ControlID(UInt16(clamping: place))
            if node.entries != nil {
                if add(node, named: control.id) { displays[displays.count - 1].controls = [id] }
            } else if let name = node.text {
                connect(id, to: name, node, among: names)
            }
        }
        for (display, node) in zip(displays, nodes) where display.controls.isEmpty {
            log.warning(
                .displayUnused, at: node.place,
                "no control is shown on the display `\(quoted(display.name))`",
                help: "write `display: \(display.name)` at a control, or remove the display")
        }
        return displays
    }

    private mutating func connect(
        _ control: ControlID, to name: String, _ node: YAMLNode, among names: [String]
    ) {
        guard let place = names.firstIndex(of: name) else {
            log.error(
                .unknownWord, at: node.place, "there is no display `\(quoted(name))`",
                help: didYouMean(name, among: names)
                    + "name a display of `displays:`, or give one, such as "
                    + "`{charlcd: /dev/lcd}`",
                known: names)
            return
        }
        displays[place].controls.append(control)
    }

    /// Adds a display; false with a problem in the log.
    @discardableResult
    private mutating func add(_ node: YAMLNode, named name: String) -> Bool {
        guard node.entries != nil, let device = device(node) else { return false }
        if let first = displays.firstIndex(where: { $0.device == device }) {
            log.error(
                .displayUsedTwice, at: node.place,
                "`\(quoted(device.subject))` is already the display `\(displays[first].name)`, at "
                    + "line \(nodes[first].place.line)",
                help: "give it a name in `displays:`, and write `display: NAME` at each control",
                related: nodes[first].place)
            return false
        }
        var (columns, rows) = (Defaults.displayColumns, Defaults.displayRows)
        if case .message = device { (columns, rows) = (Defaults.displayDigits, 1) }
        displays.append(
            DisplayPlan(
                name: name, device: device,
                columns: node["columns"]?.integerValue ?? columns,
                rows: node["rows"]?.integerValue ?? rows,
                returnAfter: node["return-after"]?.durationValue ?? Defaults.displayReturn))
        nodes.append(node)
        return true
    }

    private func device(_ node: YAMLNode) -> DisplayPlan.Device? {
        let keys = ["charlcd", "framebuffer", "file", "run"]
        let given = keys.filter { node[$0] != nil }
        guard let key = given.first, let value = node[key] else {
            let known = schema.keys(in: .display).map(\.name)
            if node.misspells(keys, among: known, in: .display, of: schema) { return nil }
            return log.refuse(
                .missingKey, at: node.place,
                "a display needs `charlcd`, `framebuffer`, `file` or `run`",
                help: "such as `{charlcd: /dev/lcd}`")
        }
        // The kernel's message is one row.
        let rows = key == "file" && node["rows"] != nil ? ["rows"] : []
        if let other = (given.dropFirst() + rows).first, let place = node.key(other)?.place {
            return log.refuse(
                .conflictingKeys, at: place, "`\(key)` and `\(other)` cannot be combined",
                help: "keep one of them")
        }
        if key == "run" {
            return value.items.map { .program(arguments: $0.map { $0.text ?? "" }) }
        }
        guard let path = value.text else { return nil }
        guard path.hasPrefix("/") else {
            return log.refuse(
                .invalidArgument, at: value.place, "`\(quoted(path))` is not a path of a device",
                help: "write the whole path, such as `\(Self.example(key))`")
        }
        switch key {
        case "charlcd": return .charlcd(path: path)
        case "file": return .message(path: path)
        default: return .framebuffer(path: path)
        }
    }

    private static func example(_ key: String) -> String {
        switch key {
        case "charlcd": "/dev/lcd"
        case "file": "/sys/bus/i2c/devices/1-0070/linedisp.0/message"
        default: "/dev/fb1"
        }
    }
}

import DetentHAL

/// Reads the chips that a panel file names.
struct ChipReader {
    let log: ProblemLog

    private static let places = ["i2c", "label", "device"]

    /// The chips, in the order of the file; problems go to the log.
    func read(_ node: YAMLNode?) -> [ChipPlan] {
        var chips: [ChipPlan] = []
        for entry in (node?.entries ?? []).prefix(Limits.chips) {
            guard let chip = chip(entry.value, named: entry.name) else { continue }
            if let other = chips.first(where: { $0.device == chip.device }) {
                log.error(
                    .conflictingKeys, at: entry.key.place,
                    "`\(chip.name)` and `\(other.name)` are the same chip, "
                        + "`\(quoted(chip.device))`",
                    help: "remove one of the two")
            }
            chips.append(chip)
        }
        return chips
    }

    private func chip(_ node: YAMLNode, named name: String) -> ChipPlan? {
        guard node.entries != nil else { return nil }
        let given = Self.places.filter { node[$0] != nil }
        guard let key = given.first, let value = node[key] else {
            return log.refuse(
                .missingKey, at: node.place, "it is not said where the chip `\(name)` is",
                help: "add `i2c: 1-0020`, its bus and address; or `label:`, or `device:`, its "
                    + "parent device. `detent doctor` shows them")
        }
        guard let device = value.text else { return nil }
        if given.count > 1, let other = node.key(given[1]) {
            log.error(
                .conflictingKeys, at: other.place,
                "`\(key)` and `\(given[1])` cannot be combined", help: "keep one of them")
        }
        var chip = ChipPlan(name: name, device: device)
        if key == "i2c", chip.placeOnBus == nil {
            log.error(
                .wrongType, at: value.place,
                "`\(quoted(device))` is no place on an I2C bus",
                help: "write the bus, `-`, and four digits of the address, such as `1-0020` for "
                    + "0x20 on bus 1")
        }
        let word = node["model"]?.text ?? (key == "label" ? device : nil)
        chip.model = word.flatMap(ChipModel.init(named:))
        chip.bias = ContactPlan.Bias(word: node["bias"]?.text) ?? Defaults.bias
        chip.hasInterrupt = node["interrupt"] != nil
        if let wire = node.key("interrupt"), let model = chip.model, !model.hasInterrupt {
            log.error(
                .conflictingKeys, at: wire.place,
                "a \(model.name) has no output for interrupts",
                help: "remove `interrupt`; its lines are polled")
        }
        return chip
    }
}

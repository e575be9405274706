public import DetentHAL
public import DetentTypes

/// A chip whose model a panel file says.
public struct ModelClaim: Equatable, Sendable {
    /// Its name in the file.
    public var name: String
    /// Its label, or its parent device.
    public var device: String
    /// The model that the file says.
    public var model: ChipModel

    /// Takes the claim as it is; nothing is checked here.
    public init(name: String, device: String, model: ChipModel) {
        self.name = name
        self.device = device
        self.model = model
    }
}

/// A chip that is not what a panel file says.
public struct ModelRemark: DescribedError, Equatable {
    /// What the file says, and what is there.
    public var cause: String
    /// What to do.
    public var remedy: String
    /// Whether the number of lines differs: then it is another chip, and not only another name.
    public var isOtherSize: Bool
}

extension GPIODInventory {
    /// The chips of a panel file that have another model here, or another number of lines. Requests
    /// no line.
    ///
    /// Chips that are not found, or cannot be opened, are left out.
    public func modelRemarks(of claims: [ModelClaim]) -> [ModelRemark] {
        claims.compactMap { claim in
            let places = chips.places(named: claim.device)
            guard places.count == 1, chips[places[0]].errno == 0 else { return nil }
            return Self.remark(claim, chips[places[0]])
        }
    }

    private static func remark(_ claim: ModelClaim, _ chip: ChipRecord) -> ModelRemark? {
        let said = claim.model
        let known = chip.knownModel.flatMap { $0 == said ? nil : $0 }
        let isOtherSize = chip.lines.count != Int(said.lines)
        guard known != nil || isOtherSize else { return nil }
        let found = known.map { "is a \($0.name) with" } ?? "has"
        return ModelRemark(
            cause: "`\(claim.name)` is a \(said.name) with \(said.lines) lines in the panel file, "
                + "and \(chip.nameAndPlace) \(found) \(chip.lines.count) lines",
            remedy: (known.map { "write `model: \($0.name)`" } ?? "write its model")
                + " for `\(claim.name)` in `chips`, or correct its place there",
            isOtherSize: isOtherSize)
    }
}

public import DetentHAL
internal import DetentTypes

/// How a panel file names the chips of this machine.
extension [ChipRecord] {
    /// The places of the chips that `chip: NAME` means: those with this label, or else those with
    /// this parent device.
    public func places(named name: String) -> [Int] {
        let labelled = indices.filter { self[$0].label == name }
        return labelled.isEmpty ? indices.filter { self[$0].parent == name } : labelled
    }

    /// What `chip:` says for the chip at a place: its label, or its parent device if other chips
    /// have the label too; nil if neither means this chip alone.
    public func name(ofChipAt place: Int) -> String? {
        [self[place].label, self[place].parent].first {
            !$0.isEmpty && places(named: $0) == [place]
        }
    }

    /// A chip for people; one of several with a label is told by its parent device.
    func summary(ofChipAt place: Int) -> String {
        let chip = self[place]
        let isTwin = count { $0.label == chip.label } > 1
        return isTwin ? "\(chip.nameAndPlace) (\(chip.lines.count) lines)" : chip.summary
    }
}

extension LineLocation {
    /// The line as a panel file names it, such as `{chip: 1-0021, offset: 3}`; nil without a chip
    /// and an offset.
    public var panelText: String? {
        guard let chip = chipLabels.first ?? platformDevice, let offset else { return nil }
        return "{chip: \(Self.word(chip)), offset: \(offset)}"
    }

    /// A name as YAML has it in a map: in quotation marks if it needs them.
    private static func word(_ name: String) -> String {
        func isPlain(_ letter: Character) -> Bool {
            letter.isASCII && (letter.isLetter || letter.isNumber)
        }
        let marks: Set<Character> = [".", "_", ":", "@", "-", "/"]
        if let first = name.first, isPlain(first), name.last != ":",
            name.allSatisfy({ isPlain($0) || marks.contains($0) })
        {
            return name
        }
        return "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

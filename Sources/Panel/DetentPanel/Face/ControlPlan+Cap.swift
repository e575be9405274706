import DetentCore

/// How wide caps and labels are for the words on them, in millimetres.
extension ControlPlan {
    /// The size of the letters on caps, and of the names of positions.
    package static let capLetters = 3.0
    /// The size of the letters of a label.
    package static let labelLetters = 3.5
    /// A label with a longer word has lines of its own, and the word is broken.
    package static let widestLabel = 60.0
    /// The width of a column for `span`.
    package static let column = 30.0
    private static let widestKey = 30.0
    private static let widestLegend = 50.0
    /// Between the words and the edges of a key, and of a cap with a legend.
    private static let (keyEdge, legendEdge) = (4.0, 6.0)
    /// A lamp or a sign beside the words.
    private static let besideWords = 7.0

    /// The part with the width that its words need: a cap is as wide as its longest word, up to a
    /// limit.
    package func sized(_ part: FacePart, count: Int) -> FacePart {
        var part = part
        let span = layout.span > 1 ? Double(layout.span) * Self.column : 0
        switch part.family {
        case .key:
            let needed = Self.widest(keyWords(count)).width + Self.keyEdge
            part.width = max(min(max(part.width, needed), Self.widestKey), span / Double(count))
        case .pushButton where !part.hasCover:
            let isLegend = part.word == FacePart.legendButton.word
            let needed = isLegend ? Self.widest(legends).width + legendMargin : 0
            let (width, height) =
                switch layout.size {
                case .small: (isLegend ? -6.0 : -2, -2.0)
                case .regular: (0, 0)
                case .large: (6, 4)
                }
            let wide = max(part.width + width, (needed / 2).rounded(.up) * 2)
            part.width = min(wide, Self.widestLegend)
            part.height += height
        case .pushButton, .toggle, .knob, .selector, .lamp: break
        }
        return part
    }

    /// The longest word that is wider than the cap, or than any label; nil where all fit.
    var wordWithoutRoom: (word: String, width: Double, room: Double)? {
        // A label that is too long has a rule of its own.
        guard self.label.count <= Limits.labelCharacters else { return nil }
        let label = Self.widest([self.label], letters: Self.labelLetters)
        if label.width > Self.widestLabel { return (label.word, label.width, Self.widestLabel) }
        guard let (part, count) = facePart else { return nil }
        let room = sized(part, count: count).width
        let (longest, margin) =
            switch part.family {
            case .key: (Self.widest(keyWords(count)), Self.keyEdge)
            case .pushButton where look.isWritten && isLabelled:
                // Under a cover, the lamp and the sign are above the words.
                (Self.widest(legends), part.hasCover ? Self.legendEdge : legendMargin)
            case .pushButton: (Self.widest([layout.caption ?? ""]), Self.keyEdge)
            case .toggle, .knob, .selector, .lamp: (("", 0), 0)
            }
        return longest.width > room - margin ? (longest.word, longest.width, room - margin) : nil
    }

    /// Whether a cap shows the label, not the symbol alone.
    package var isLabelled: Bool { layout.symbol == nil || layout.showsLabel }

    private var legends: [String] {
        [label, layout.activeLabel ?? "", layout.subtitle ?? "", layout.caption ?? ""]
    }

    /// What else is on a cap: its edges, its lamp and its sign.
    private var legendMargin: Double {
        let hasSign = layout.role != .normal || layout.symbol != nil
        let hasLamp = settings.indicator.lines.count > 0
        return Self.legendEdge + Self.besideWords * ((hasSign ? 1 : 0) + (hasLamp ? 1 : 0))
    }

    /// The words on a row of keys; those of a menu have signs.
    private func keyWords(_ count: Int) -> [String] {
        let words = titles
        guard words.count == count, !look.isMenu else { return [] }
        return words.indices.map { place in
            let captions = layout.optionCaptions
            let caption = captions.indices.contains(place) ? captions[place] : nil
            let symbols = layout.optionSymbols
            let isDrawn = symbols.indices.contains(place) && symbols[place] != nil
            return isDrawn ? caption ?? "" : words[place]
        }
    }

    private static func widest(
        _ texts: [String], letters: Double = capLetters
    ) -> (word: String, width: Double) {
        // One step after another: the compiler takes seconds to find the types of a chain.
        let words = texts.flatMap { $0.split(separator: " ").map(String.init) }
        let widths: [(word: String, width: Double)] = words.map { word in
            (word, TextWidth.millimeters(word, fontSizeMillimeters: letters))
        }
        return widths.max { $0.width < $1.width } ?? ("", 0)
    }
}

import DetentTypes

/// What a value of the panel file looks like.
///
/// A union has at most one list, at most one map, and any number of texts. So the form of a value
/// decides which shape it is checked against.
indirect enum Shape: Sendable {
    /// Any text that is not empty.
    case text
    /// One of these words; those of `later` are reserved, but not supported yet.
    case words([String], later: [String] = [])
    case boolean
    case integer(ClosedRange<Int>)
    case decimal
    case duration(ClosedRange<TimeSpan>)
    /// A current in whole milliamperes, such as `5mA`.
    case current(ClosedRange<Int>)
    /// A share in whole hundredths, such as `40%`.
    case percent(ClosedRange<Int>)
    /// A length in millimetres with at most one decimal, such as `40mm`.
    case length(ClosedRange<Int>)
    /// The name of a line, `pin 11`, or a map of the section `line`.
    case line
    /// A program and its arguments.
    case arguments
    case list(Shape, ClosedRange<Int>)
    case section(Section)
    /// One action, or a map of actions by value.
    case actions
    /// A map from options to lines, or a list of lines in the order of the options.
    case linesByOption
    /// A map from ids of controls to the values that they are set to.
    case valuesByControl
    /// A map from ids to controls.
    case controls
    /// A map from names to maps of a section.
    case named(Section, ClosedRange<Int>)
    case anyOf([Shape])

    /// The forms that a value may have, in words.
    var summary: String {
        switch self {
        case .text: "text"
        case .words(let words, _): words.map { "`\($0)`" }.joined(separator: ", ")
        case .boolean: "`true` or `false`"
        case .integer(let range): "whole number, \(range.lowerBound) to \(range.upperBound)"
        case .decimal: "number"
        case .duration(let range):
            "time, \(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        case .current(let range): "current, \(range.lowerBound)mA to \(range.upperBound)mA"
        case .percent(let range): "share, \(range.lowerBound)% to \(range.upperBound)%"
        case .length(let range): "length, \(range.lowerBound)mm to \(range.upperBound)mm"
        case .line: "line"
        case .arguments: "list of arguments"
        case .list(let item, let range):
            "list of \(range.lowerBound) to \(range.upperBound) items: \(item.summary)"
        case .section(let section): "map, see [\(section.title)](#\(section.anchor))"
        case .actions:
            "map, see [\(Section.action.title)](#\(Section.action.anchor)), or a map with one such "
                + "map for each value"
        case .linesByOption: "map from options to lines, or a list of a line for each option"
        case .valuesByControl: "map from controls to values"
        case .controls: "map from ids to controls"
        case .named(let section, let range):
            "map from \(range.lowerBound) to \(range.upperBound) names to maps, see "
                + "[\(section.title)](#\(section.anchor))"
        case .anyOf(let shapes): shapes.map(\.summary).joined(separator: "; or ")
        }
    }

    /// The shapes of a union, or the shape itself.
    var alternatives: [Shape] {
        guard case .anyOf(let shapes) = self else { return [self] }
        return shapes
    }
}

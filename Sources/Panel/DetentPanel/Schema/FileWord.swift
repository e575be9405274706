import DetentCore

/// A setting whose cases are words of the panel file.
///
/// The schema lists the words and the reader takes them from here, so each is written once.
protocol FileWord: Sendable {
    /// Every case, in the order of the documents.
    static var cases: [Self] { get }
    /// The word in panel files.
    var word: String { get }
}

extension FileWord {
    /// All words, in the order of the cases.
    static var words: [String] { cases.map(\.word) }

    /// The case with a word; nil if there is none.
    init?(word: String?) {
        guard let found = Self.cases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}

extension FileWord where Self: CaseIterable {
    static var cases: [Self] { Array(allCases) }
}

extension ExitLevel: FileWord {}

extension ButtonRole: FileWord {
    var word: String { rawValue }
}

extension ButtonStyle: FileWord {
    var word: String { rawValue }
}

extension ButtonSize: FileWord {
    var word: String { rawValue }
}

extension ContactPlan.Bias: FileWord {
    static var cases: [Self] { [.pullUp, .pullDown, .disabled, .asIs] }

    var word: String {
        switch self {
        case .pullUp: "pull-up"
        case .pullDown: "pull-down"
        case .disabled: "disabled"
        case .asIs: "as-is"
        }
    }
}

extension MismatchPolicy: FileWord {
    var word: String {
        switch self {
        case .follow: "follow"
        case .toggle: "toggle"
        case .catchUp: "catch-up"
        case .detached: "detached"
        }
    }
}

extension SelectorSettings.Coding: FileWord {
    static var cases: [Self] { [.contacts, .binary, .gray] }

    var word: String {
        switch self {
        case .contacts: "contacts"
        case .binary: "binary"
        case .gray: "gray"
        }
    }
}

extension DebounceSettings.EagerWindow: FileWord {
    static var cases: [Self] { [.restart, .fixed] }

    var word: String {
        switch self {
        case .restart: "restart"
        case .fixed: "fixed"
        }
    }
}

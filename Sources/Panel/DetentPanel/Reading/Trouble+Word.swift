import DetentCore

extension Trouble {
    /// The word in conditions.
    var word: String {
        switch self {
        case .failed: "failed"
        case .fault: "fault"
        case .mismatch: "mismatch"
        }
    }

    init?(word: String) {
        guard let trouble = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = trouble
    }
}

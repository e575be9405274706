import DetentTypes

/// The known word that is nearest to an unknown one; nil if none is near enough.
public func nearestWord(to word: String, among known: [String]) -> String? {
    guard word.count <= Limits.comparedCharacters else { return nil }
    let letters = Array(word.lowercased().utf8)
    var best: (word: String, distance: Int)?
    for candidate in known where candidate.count <= Limits.comparedCharacters {
        let distance = EditDistance.between(letters, Array(candidate.lowercased().utf8))
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, min(3, letters.count / 3 + 1)) else { return nil }
    guard best.distance < max(letters.count, best.word.utf8.count) else { return nil }
    return best.word
}

/// The beginning of a remedy that suggests this word; empty if none is near enough.
public func didYouMean(_ word: String, among known: [String]) -> String {
    nearestWord(to: word, among: known).map { "did you mean `\($0)`? " } ?? ""
}

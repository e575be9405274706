/// The known word that somebody probably meant, by the number of slips between the two.
public func nearestWord(to word: String, among known: [String]) -> String? {
    guard word.count <= Limits.comparedCharacters else { return nil }
    let letters = Array(word.lowercased())
    var best: (word: String, distance: Int)?
    for candidate in known where candidate.count <= Limits.comparedCharacters {
        let distance = slips(letters, Array(candidate.lowercased()))
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, min(3, letters.count / 3 + 1)) else { return nil }
    guard best.distance < max(letters.count, best.word.count) else { return nil }
    return best.word
}

/// The beginning of a remedy that names that word; empty where nobody can have meant one.
public func didYouMean(_ word: String, among known: [String]) -> String {
    nearestWord(to: word, among: known).map { "did you mean `\($0)`? " } ?? ""
}

/// Letters to insert, to remove, to replace or to swap with their neighbour.
private func slips(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
        var current = [row + 1]
        current.reserveCapacity(right.count + 1)
        for column in 0..<right.count {
            let same = left[row] == right[column]
            var cost = min(last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1],
                left[row - 1] == right[column]
            {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        beforeLast = last
        last = current
    }
    return last[right.count]
}

/// Counts how many edits turn one name into another.
///
/// An edit inserts, removes or replaces one byte, or swaps two neighbours.
public enum EditDistance {
    /// The smallest number of edits between two names.
    ///
    /// Fold the case before if case does not matter. Time and memory grow with the product of the
    /// two lengths: bound names from outside.
    public static func between(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in 0..<right.count {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
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
}

import DetentTypes
import TestSupport
import Testing

@Suite struct TextSearchTests {
    @Test(arguments: [
        ("a, b", ", ", 1..<3), ("aab", "ab", 1..<3), ("ab", "abc", nil), ("", "a", nil),
        ("a", "", nil), ("Küche 厨房", "厨", 7..<10), ("abab", "ab", 0..<2),
    ])
    func theFirstRangeIsThatOfTheBytes(text: String, other: String, bytes: Range<Int>?) {
        let range = text.firstRange(of: other).map {
            text.utf8.distance(
                from: text.startIndex, to: $0.lowerBound)..<text.utf8.distance(
                    from: text.startIndex, to: $0.upperBound)
        }
        expectEqual(range, bytes)
        expectEqual(text.contains(other), bytes != nil || other.isEmpty)
    }

    @Test(arguments: [
        ("a-b-c", "-", "+", "a+b+c"), ("aaa", "aa", "b", "ba"), ("a", "a", "aa", "aa"),
        ("a", "", "b", "a"), ("", "a", "b", ""), ("x\r\ny\r", "\r\n", "\n", "x\ny\r"),
    ])
    func eachIsReplacedOnceFromTheLeft(text: String, old: String, new: String, result: String) {
        expectEqual(text.replacing(old, with: new), result)
    }
}

import DetentTypes
import TestSupport
import Testing

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("GPIO17", "GPIO27", 1), ("GPIO1", "GPIO17", 1), ("abc", "", 3),
        ("kitten", "sitting", 3), ("label", "lable", 1), ("ab", "ba", 1), ("abc", "cab", 2),
    ])
    func countsEdits(_ left: String, _ right: String, _ expected: Int) {
        expectEqual(EditDistance.between(Array(left.utf8), Array(right.utf8)), expected)
        expectEqual(EditDistance.between(Array(right.utf8), Array(left.utf8)), expected)
    }
}

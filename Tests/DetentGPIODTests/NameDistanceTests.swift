import Testing

@testable import DetentGPIOD

@Suite struct NameDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("GPIO17", "gpio17", 0), ("GPIO17", "GPIO27", 1), ("GPIO1", "GPIO17", 1),
        ("abc", "", 3), ("kitten", "sitting", 3),
    ])
    func countsEdits(left: String, right: String, expected: Int) {
        #expect(NameDistance.edits(from: left, to: right) == expected)
        #expect(NameDistance.edits(from: right, to: left) == expected)
    }

    @Test func ranksThreeNearestOnce() {
        let names = ["GPIO2", "GPIO27", "GPIO17", "GPIO17", "ID_SDA", "GPIO7", "GPIO11"]
        #expect(NameDistance.nearest(to: ["GPIO18"], in: names) == ["GPIO11", "GPIO17", "GPIO2"])
    }
}

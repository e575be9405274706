import TestSupport
import Testing

@testable import DetentHAL

@Suite struct NameDistanceTests {
    @Test func ranksThreeNearestOnce() {
        let names = ["GPIO2", "GPIO27", "GPIO17", "GPIO17", "ID_SDA", "GPIO7", "GPIO11"]
        expectEqual(NameDistance.nearest(to: ["GPIO18"], in: names), ["GPIO11", "GPIO17", "GPIO2"])
    }
}

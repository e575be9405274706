import DetentTypes
import TestSupport
import Testing

/// The byte that says who asked.
@Suite struct OriginTests {
    @Test func aByteHasAPlaceAndACaller() {
        for place in Origin.Place.allCases {
            expectEqual(Origin(place).rawValue, place.rawValue, "as in older images")
            for caller in 0...Origin.callerLimit {
                let origin = Origin(place).by(caller)
                #expect(origin.place == place && origin.caller == caller, "\(place) \(caller)")
                expectEqual(Origin(rawValue: origin.rawValue), origin)
                expectEqual(origin.isRemote, place.isRemote)
            }
            for caller in Origin.callerLimit + 1...UInt8.max {
                expectEqual(Origin(place).by(caller), Origin(place), "nobody in particular")
            }
        }
    }

    @Test func aByteWithoutAPlaceIsNone() {
        for byte in 0...UInt8.max {
            expectEqual(Origin(rawValue: byte) == nil, byte & 7 == 7, "\(byte)")
        }
    }
}

import DetentTypes

@testable import DetentTrace

/// Random numbers that a seed repeats (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A capture in which every line has an initial level and every edge alternates.
    mutating func capture() -> Capture {
        let count = Int.random(in: 1...120, using: &self)
        var levels = (0..<count).map { _ in Bool.random(using: &self) }
        var capture = Capture(
            lines: (0..<count).map { "GPIO\($0)" }, initialLevels: levels.map { $0 })
        var now: UInt64 = 0
        for _ in 0..<Int.random(in: 0...20_000, using: &self) {
            now += UInt64.random(in: 0...3, using: &self) * 1_000 + (now == 0 ? 1_000 : 0)
            let line = Int.random(in: 0..<count, using: &self)
            levels[line].toggle()
            capture.edges.append(
                Capture.Edge(
                    at: Instant(nanoseconds: now), line: UInt16(line), isHigh: levels[line]))
        }
        return capture
    }

    /// A copy with some bytes changed, removed, doubled or cut off.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...8, using: &self) where !result.isEmpty {
            let place = Int.random(in: 0..<result.count, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: result[place] = UInt8.random(in: 0...255, using: &self)
            case 1: result[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            case 2: result.remove(at: place)
            case 3:
                result.insert(
                    contentsOf: result[place..<min(result.count, place + 40)], at: place)
            default: result.removeLast(min(result.count, Int.random(in: 0...20, using: &self)))
            }
        }
        return result
    }
}

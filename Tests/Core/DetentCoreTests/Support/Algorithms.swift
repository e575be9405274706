import DetentTypes
import Testing

@testable import DetentCore

/// Every algorithm with every stage around it, for the laws that all of them keep.
struct NamedFilter: CustomTestStringConvertible {
    let testDescription: String
    let settings: DebounceSettings

    static let all: [NamedFilter] = algorithms.flatMap { name, algorithm in
        [
            NamedFilter(
                testDescription: name, settings: DebounceSettings(algorithm: algorithm)),
            NamedFilter(
                testDescription: name + ", glitch 2 ms, lockout 6 ms",
                settings: DebounceSettings(
                    algorithm: algorithm, glitch: .milliseconds(2), lockout: .milliseconds(6))),
        ]
    }

    private static let algorithms: [(String, DebounceSettings.Algorithm)] = [
        ("none", .none),
        ("eager restart", .eager(time: .milliseconds(3), window: .restart)),
        ("eager fixed", .eager(time: .milliseconds(3), window: .fixed)),
        ("defer", .defer(time: .milliseconds(3))),
        ("asymmetric", .asymmetric(press: .milliseconds(2), release: .milliseconds(4))),
        ("integrator", .integrator(sample: .milliseconds(1), samples: 3)),
    ]
}

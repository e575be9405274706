import DetentHAL
import DetentTypes
import TestSupport
import Testing

@testable import DetentGPIOD

@Suite struct RequestPlanTests {
    private static func line(
        _ direction: LineDirection, isActiveLow: Bool = false
    ) -> LineSettings {
        LineSettings(
            line: LineID(0), name: "line", location: LineLocation(), isActiveLow: isActiveLow,
            direction: direction)
    }

    private static func input(
        _ bias: Bias = .asIs, debounce: UInt64? = nil, isActiveLow: Bool = false
    ) -> LineSettings {
        line(
            .input(
                bias: bias, edges: .interrupt,
                kernelDebounce: debounce.map { .milliseconds($0) }),
            isActiveLow: isActiveLow)
    }

    private static let polled = line(
        .input(bias: .asIs, edges: .polled(every: .milliseconds(5)), kernelDebounce: nil))
    private static let output = line(.output(initial: .active, onRelease: nil))

    /// A reload can release an output or a line with edges without touching another one.
    @Test func onlyPolledLinesShareARequest() {
        let lines = [
            Self.input(), Self.output, Self.polled, Self.input(), Self.output, Self.polled,
        ]
        let groups = RequestPlan.groups(of: lines, linesPerGroup: 64)
        expectEqual(groups, [[0], [3], [2, 5], [1], [4]])
    }

    @Test func takesOneLineEachUnderTheFirstInterface() {
        let lines = [Self.input(), Self.output, Self.input()]
        expectEqual(RequestPlan.groups(of: lines, linesPerGroup: 1), [[0], [2], [1]])
    }

    @Test(arguments: [(1, 1), (63, 1), (64, 1), (65, 2), (128, 2), (129, 3), (1024, 16)])
    func neverExceedsTheLinesOfARequest(count: Int, expected: Int) {
        let lines = Array(repeating: Self.polled, count: count)
        let groups = RequestPlan.groups(of: lines, linesPerGroup: 64)
        expectEqual(groups.count, expected)
        #expect(groups.allSatisfy { $0.count <= 64 })
        expectEqual(groups.flatMap { $0 }, Array(0..<count))
    }

    /// Every debounce period and every set of flags takes one of ten attributes.
    @Test(arguments: [4, 10, 11, 60])
    func neverExceedsTheAttributesOfARequest(periods: Int) {
        let lines = (0..<periods).map { (index: Int) -> LineSettings in
            let bias = Bias.allCases[index % 4]
            return Self.input(bias, debounce: UInt64(index + 1), isActiveLow: index % 2 == 0)
        }
        let groups = RequestPlan.groups(of: lines, linesPerGroup: 64)
        for group in groups {
            let flags = Set(
                group.map { (index: Int) -> String in
                    guard case .input(let bias, _, _) = lines[index].direction else { return "" }
                    return "\(bias) \(lines[index].isActiveLow)"
                })
            // All periods differ here.
            #expect(group.count + flags.count - 1 <= RequestPlan.attributesMax)
        }
        expectEqual(groups.flatMap { $0 }, Array(0..<periods))
    }
}

import Testing

@testable import Fixture

@Suite struct CounterTests {
    @Test func countsUpToTheLimit() {
        var counter = Counter()
        let isFirst = counter.add(limit: 2)
        #expect(isFirst)
        let isSecond = counter.add(limit: 2)
        #expect(isSecond)
        let isRefused = !counter.add(limit: 2)
        #expect(isRefused)
        #expect(counter.count == 2)
        #expect(counter.isNear(1))
        #expect(!counter.isNear(3))
    }

    @Test func namesAreKept() {
        var counter = Counter()
        counter.name(["a"])
        #expect(counter.names == ["a"])
    }
}

@Suite struct StepTests {
    @Test func stepsAreAsManyAsTheCount() {
        var counter = Counter()
        for _ in 0..<3 { _ = counter.add(limit: 5) }
        #expect(counter.steps() == 3)
    }
}

@Suite struct RuleTests {
    @Test func largeNumbersAreFound() {
        #expect(Counter().isLarge(10) && !Counter().isLarge(9))
        #expect(Counter().isLarge(19) && !Counter().isLarge(20))
        #expect(Counter().isLarge(0) && !Counter().isLarge(1))
    }

    @Test func oneAttemptIsEnough() {
        #expect(Counter().attempts { 1 } == 8)
    }
}

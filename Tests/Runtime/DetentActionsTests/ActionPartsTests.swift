import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// The small parts, each by itself.
@Suite struct ActionPartsTests {
    static let words = ActionWords(
        value: "{previous}", previous: "off", control: "a b", origin: "panel")

    @Test(arguments: [
        ("{value}", "{previous}"), ("x{previous}y{control}", "xoffya b"),
        ("{Value}", "{Value}"), ("{{origin}}", "{panel}"), ("{", "{"), ("}", "}"), ("{}", "{}"),
        ("{values}", "{values}"), ("{previous", "{previous"),
        ("{value}\u{301}", "{previous}\u{301}"), ("", ""), ("{a{origin}", "{apanel"),
    ])
    func onlyKnownPlaceholdersAreReplaced(template: String, expected: String) {
        let filled = TextTemplate(template).filled(with: Self.words)
        expectEqual(Array(filled.utf8), Array(expected.utf8))
    }

    @Test func wordsAreVariablesToo() {
        expectEqual(
            Self.words.environment.map { "\($0.name)=\($0.value)" },
            [
                "DETENT_VALUE={previous}", "DETENT_PREVIOUS=off", "DETENT_CONTROL=a b",
                "DETENT_ORIGIN=panel",
            ])
    }

    @Test(arguments: [
        ([""], ""), (["ab"], "ab"), (["abcd"], "abcd"), (["abcde"], "bcde"),
        (["ab", "cd", "efg"], "defg"), (["0123456789"], "6789"), (["aaä", "bc"], "äbc"),
        (["aä", "bcd"], "bcd"),
    ])
    func tailKeepsTheLastBytes(chunks: [String], expected: String) {
        var tail = ByteTail(capacity: 4)
        for chunk in chunks {
            Array(chunk.utf8).withUnsafeBytes { tail.append($0) }
        }
        expectEqual(tail.text, expected)
    }

    /// Three bytes of a character of four can be left of its end, and no more are dropped.
    @Test func tailDropsTheRestOfACutCharacter() {
        var tail = ByteTail(capacity: 5)
        Array("😀ab".utf8).withUnsafeBytes { tail.append($0) }
        expectEqual(tail.text, "ab")
        tail = ByteTail(capacity: 4)
        [UInt8](repeating: 0x80, count: 4).withUnsafeBytes { tail.append($0) }
        expectEqual(tail.text, "\u{FFFD}")
    }

    @Test func removingWhatWaitsLeavesARunningAttempt() {
        func command(_ run: UInt32, action: UInt16) -> ActionCommand {
            ActionCommand(.start, action: action, run: RunID(run))
        }
        var queues = AttemptQueues(actions: 3, running: 1, waiting: 2)
        expectEqual(queues.admit(command(1, action: 0)), .start)
        expectEqual(queues.admit(command(2, action: 0)), .wait)
        expectEqual(queues.admit(command(3, action: 1)), .wait)
        expectEqual(queues.removeWaiting(), [command(2, action: 0), command(3, action: 1)])
        expectEqual(queues.removeWaiting(), [])
        expectEqual(queues.running, [command(1, action: 0)])
        // What comes later waits in line again, each action once and in its order.
        expectEqual(queues.admit(command(4, action: 2)), .wait)
        expectEqual(queues.admit(command(5, action: 1)), .wait)
        expectEqual(queues.ended(action: 0), [command(4, action: 2)])
        expectEqual(queues.ended(action: 2), [command(5, action: 1)])
        expectEqual(queues.ended(action: 1), [])
        expectEqual(queues.runningCount, 0)
        expectEqual(queues.ended(action: 1), [])
        expectEqual(queues.runningCount, 0)
    }

    @Test func ringHoldsItsCapacityInOrder() {
        let ring = Ring<Int>(capacity: 3)
        #expect(ring.pop() == nil)
        for round in 0..<10 {
            for place in 0..<4 { #expect(ring.push(round * 4 + place)) }
            #expect(!ring.push(-1))
            for place in 0..<4 { expectEqual(ring.pop(), round * 4 + place) }
            #expect(ring.pop() == nil)
        }
    }

    @Test func ringCarriesBetweenThreads() throws {
        let ring = Ring<UInt32>(capacity: 64)
        let count: UInt32 = 200_000
        let producer = try WorkerThread(named: "producer") {
            var next: UInt32 = 0
            while next < count { if ring.push(next) { next += 1 } else { sched_yield() } }
        }
        var expected: UInt32 = 0
        var isInOrder = true
        let deadline = MonotonicClock.now + .seconds(60)
        while expected < count, MonotonicClock.now < deadline {
            guard let element = ring.pop() else {
                sched_yield()
                continue
            }
            isInOrder = isInOrder && element == expected
            expected += 1
        }
        #expect(isInOrder && expected == count)
        producer.join()
    }

    @Test func detailsForgetTheOldest() {
        let details = OutcomeDetails()
        for number in 1...UInt32(ActionLimits.details + 2) {
            details.add(
                ActionResult(
                    run: RunID(number), outcome: .succeeded, explanation: "\(number)",
                    startedAt: nil, endedAt: .zero))
        }
        #expect(details[RunID(2)] == nil)
        expectEqual(details[RunID(3)]?.explanation, "3")
        let last = UInt32(ActionLimits.details + 2)
        for number in [last - 2, last - 1, last] {
            expectEqual(details[RunID(number)]?.explanation, "\(number)")
        }
    }

    /// Random commands against the rules, on a small bound.
    @Test(arguments: [1 as UInt64, 2, 3, 4, 5])
    func queuesKeepTheirBounds(seed: UInt64) {
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        var queues = AttemptQueues(actions: 5, running: 3, waiting: 2)
        var running: [UInt16: UInt32] = [:]
        var waiting: [UInt16: [UInt32]] = [:]
        for run: UInt32 in 1...5_000 {
            let action = UInt16(random(5))
            switch random(4) {
            case 0, 1:
                let isFull = waiting[action, default: []].count == 2
                switch queues.admit(ActionCommand(.start, action: action, run: RunID(run))) {
                case .start:
                    #expect(running[action] == nil && running.count < 3)
                    #expect(waiting[action, default: []].isEmpty)
                    running[action] = run
                case .wait:
                    #expect(!isFull)
                    #expect(running[action] != nil || running.count == 3)
                    waiting[action, default: []].append(run)
                case .refuse: #expect(isFull)
                }
            case 2:
                guard running.removeValue(forKey: action) != nil else { continue }
                for command in queues.ended(action: action) {
                    expectEqual(waiting[command.action]?.first, command.run.number)
                    waiting[command.action]?.removeFirst()
                    #expect(running.updateValue(command.run.number, forKey: command.action) == nil)
                }
            default:
                guard let run = waiting[action]?.first else { continue }
                let command = ActionCommand(.cancel, action: action, run: RunID(run))
                guard case .waiting(let found) = queues.cancel(command) else {
                    Issue.record("seed \(seed): \(run) does not wait")
                    continue
                }
                expectEqual(found.run.number, run)
                waiting[action]?.removeFirst()
            }
            expectEqual(queues.runningCount, running.count, "seed \(seed)")
            // Nobody waits while there is room for him.
            let idle = waiting.filter { !$0.value.isEmpty && running[$0.key] == nil }
            #expect(idle.isEmpty || running.count == 3, "seed \(seed)")
        }
    }
}

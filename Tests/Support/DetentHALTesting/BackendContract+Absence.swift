internal import DetentHAL
internal import DetentTypes

extension BackendContract {
    static let absenceChecks: [ContractCheck] = [
        ContractCheck("a chip that goes makes its lines faulty") { bench in
            try bench.open(
                bench.input(0), bench.output(1),
                bench.input(2, edges: .polled(every: .milliseconds(5))))
            guard bench.driver.unplug() else { return }
            defer { bench.driver.plug() }
            bench.waitUntil { _ in (0..<3).allSatisfy { bench.hasFault(line: $0) } }
            for line in 0..<3 {
                try bench.expect(bench.hasFault(line: line), "line \(line) had no fault")
            }
            try bench.expect(
                bench.backend.write(LineID(1), .active, now: bench.driver.now) == nil,
                "a write to a chip that is gone has a stamp")
            try bench.expect(
                bench.backend.read(LineID(0), now: bench.driver.now) == nil,
                "a line of a chip that is gone has a level")
            bench.backend.close()
        },
        ContractCheck("a chip that goes is noticed without polling and without a write") { bench in
            try bench.open(bench.input(0), bench.output(1))
            guard bench.driver.unplug() else { return }
            defer { bench.driver.plug() }
            bench.waitUntil { _ in bench.hasFault(line: 0) && bench.hasFault(line: 1) }
            try bench.expect(bench.hasFault(line: 0), "the input had no fault")
            try bench.expect(bench.hasFault(line: 1), "the output had no fault")
            bench.backend.close()
        },
        ContractCheck("a chip with outputs alone is missed too") { bench in
            try bench.open(bench.output(0), bench.output(1))
            guard bench.driver.unplug() else { return }
            bench.waitUntil { _ in bench.hasFault(line: 0) && bench.hasFault(line: 1) }
            bench.driver.plug()
            try bench.expect(bench.hasFault(line: 0), "the first output had no fault")
            try bench.expect(bench.hasFault(line: 1), "the second output had no fault")
            bench.waitUntil { _ in bench.has(.restored, line: 0) && bench.has(.restored, line: 1) }
            try bench.expect(bench.has(.restored, line: 1), "the second output is not restored")
        },
        ContractCheck("a chip that is back restores its lines and their levels") { bench in
            try bench.open(
                bench.input(0), bench.output(1), bench.output(2, initial: .active),
                bench.input(3, edges: .polled(every: .milliseconds(5))))
            guard bench.driver.unplug() else { return }
            bench.waitUntil { _ in (0..<4).allSatisfy { bench.hasFault(line: $0) } }
            _ = bench.backend.write(LineID(1), .active, now: bench.driver.now)
            bench.forget()
            bench.driver.plug()
            bench.waitUntil { _ in
                bench.readings(of: 0) != [] && bench.readings(of: 3) != []
                    && bench.has(.written(.active), line: 1)
                    && bench.has(.written(.active), line: 2)
            }
            for line in 0..<4 {
                try bench.expect(bench.has(.restored, line: line), "line \(line) is not restored")
            }
            try bench.expectEqual(bench.readings(of: 0), [.inactive], "readings")
            try bench.expectEqual(bench.readings(of: 3), [.inactive], "readings of a polled line")
            try bench.expect(bench.driver.isHigh(line: 1), "the output written meanwhile is low")
            try bench.expect(bench.driver.isHigh(line: 2), "the output that was high is low")
            bench.forget()
            bench.driver.set(line: 0, high: true)
            bench.driver.set(line: 3, high: true)
            bench.waitUntil { _ in bench.edges().count == 2 }
            try bench.expectEqual(bench.edges(of: 0).map(\.level), [.active], "edges")
            try bench.expectEqual(bench.edges(of: 3).map(\.level), [.active], "polled edges")
            let expected: UInt32 = bench.driver.countsEdges ? 1 : 0
            try bench.expectEqual(bench.edges(of: 0).map(\.sequence), [expected], "sequences")
        },
        ContractCheck("a chip that comes late is found") { bench in
            guard bench.driver.unplug() else { return }
            var isPlugged = false
            defer { if !isPlugged { bench.driver.plug() } }
            let errors = bench.backend.open([bench.input(0)])
            try bench.expectEqual(errors.count, 1, "errors")
            bench.driver.plug()
            isPlugged = true
            bench.waitUntil { _ in bench.has(.restored, line: 0) && bench.readings(of: 0) != [] }
            try bench.expect(bench.has(.restored, line: 0), "the line is not restored")
            try bench.expectEqual(bench.readings(of: 0), [.inactive], "readings")
        },
    ]
}

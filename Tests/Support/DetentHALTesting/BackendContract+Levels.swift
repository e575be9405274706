internal import DetentHAL
internal import DetentTypes

extension BackendContract {
    static let levelChecks: [ContractCheck] = [
        ContractCheck("the first drain holds a reading of every input") { bench in
            bench.driver.set(line: 1, high: true)
            let before = bench.driver.now
            let errors = try bench.backend.open([
                bench.input(0), bench.input(1), bench.output(2),
                bench.input(3, edges: .polled(every: .milliseconds(5))),
            ])
            try bench.expect(errors.isEmpty, "open: \(errors.map(\.cause))")
            bench.drain()
            try bench.expectEqual(bench.readings(of: 0), [.inactive], "readings of a low line")
            try bench.expectEqual(bench.readings(of: 1), [.active], "readings of a high line")
            try bench.expectEqual(bench.readings(of: 2), [], "readings of an output")
            try bench.expectEqual(bench.readings(of: 3), [.inactive], "readings of a polled line")
            try bench.expect(
                bench.events.allSatisfy { $0.at >= before && $0.at <= bench.driver.now },
                "stamps outside the time of opening: \(bench.events)")
        },
        ContractCheck("an active-low line is active when it is low") { bench in
            let errors = try bench.backend.open([
                bench.input(0, isActiveLow: true), bench.output(1, isActiveLow: true),
            ])
            try bench.expect(errors.isEmpty, "open: \(errors.map(\.cause))")
            bench.drain()
            try bench.expectEqual(bench.readings(of: 0), [.active], "readings of a low line")
            try bench.expect(bench.driver.isHigh(line: 1), "an inactive output must be high")
            bench.driver.set(line: 0, high: true)
            bench.waitUntil { _ in !bench.edges(of: 0).isEmpty }
            try bench.expectEqual(bench.edges(of: 0).map(\.level), [.inactive], "edges")
            try bench.write(1, .active)
            try bench.expect(!bench.driver.isHigh(line: 1), "an active output must be low")
            try bench.expectEqual(try bench.read(0).level, .inactive, "reading of a high line")
        },
        ContractCheck("bias moves a line that nothing drives") { bench in
            guard bench.driver.hasBias else { return }
            let errors = bench.backend.open([
                bench.input(0, bias: .pullUp), bench.input(1, bias: .pullDown),
            ])
            try bench.expect(errors.isEmpty, "open: \(errors.map(\.cause))")
            bench.drain()
            try bench.expectEqual(bench.readings(of: 0), [.active], "readings with a pull-up")
            try bench.expectEqual(bench.readings(of: 1), [.inactive], "readings with a pull-down")
            bench.driver.set(line: 0, high: false)
            bench.waitUntil { _ in !bench.edges(of: 0).isEmpty }
            try bench.expectEqual(bench.edges(of: 0).map(\.level), [.inactive], "edges")
        },
        ContractCheck("reading gives the level of now with a stamp of now") { bench in
            try bench.open(bench.input(0))
            for high in [true, false, true] {
                bench.driver.set(line: 0, high: high)
                bench.awaitSilence()
                let before = bench.driver.now
                let reading = try bench.read(0)
                try bench.expectEqual(reading.level, Level(high), "level")
                try bench.expect(
                    reading.at >= before && reading.at <= bench.driver.now,
                    "stamp \(reading.at) is not between \(before) and \(bench.driver.now)")
            }
        },
        ContractCheck("a polled line reports changes as edges without a count") { bench in
            let period = TimeSpan.milliseconds(5)
            try bench.open(bench.input(0, edges: .polled(every: period)), bench.input(1))
            for high in [true, false, true] {
                bench.forget()
                bench.driver.set(line: 0, high: high)
                let began = bench.driver.now
                bench.waitUntil { _ in !bench.edges(of: 0).isEmpty }
                let edges = bench.edges(of: 0)
                try bench.expectEqual(edges.map(\.level), [Level(high)], "levels")
                try bench.expectEqual(edges.map(\.sequence), [0], "sequences")
                try bench.expect(
                    edges[0].at - began <= period + bench.driver.stampTolerance,
                    "seen \((edges[0].at - began).nanoseconds) ns after the change")
            }
            bench.forget()
            bench.awaitSilence()
            try bench.expectEqual(bench.edges().count, 0, "edges without a change")
        },
        ContractCheck("without polled or faulty lines nothing is due") { bench in
            try bench.open(bench.input(0), bench.output(1))
            bench.awaitSilence()
            try bench.expectEqual(bench.backend.deadline, .never, "deadline")
        },
    ]
}

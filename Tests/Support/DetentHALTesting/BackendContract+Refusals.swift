internal import DetentHAL
internal import DetentTypes

extension BackendContract {
    static let refusalChecks: [ContractCheck] = [
        ContractCheck("a line that another program has is busy, and the program is named") {
            bench in
            guard let holder = bench.driver.hold(line: 0) else { return }
            defer { bench.driver.release(line: 0) }
            let errors = bench.backend.open([bench.input(0), bench.input(1), bench.input(2)])
            try bench.expectEqual(errors.map(\.code), [.busy], "errors")
            try bench.expectEqual(errors[0].holder, holder, "holder")
            try bench.expectEqual(errors[0].line, "input0", "line")
            try bench.expect(errors[0].cause.contains(holder), "cause: \(errors[0].cause)")
            // One bad line spoils no other.
            bench.drain()
            bench.forget()
            bench.driver.set(line: 2, high: true)
            bench.waitUntil { _ in !bench.edges(of: 2).isEmpty }
            try bench.expectEqual(bench.edges(of: 2).map(\.level), [.active], "other edges")
        },
        ContractCheck("a busy line works as soon as it is free") { bench in
            guard bench.driver.hold(line: 0) != nil else { return }
            let errors = bench.backend.open([bench.input(0)])
            bench.driver.release(line: 0)
            try bench.expectEqual(errors.map(\.code), [.busy], "errors")
            bench.waitUntil { _ in bench.has(.restored, line: 0) }
            try bench.expect(bench.has(.restored, line: 0), "the line was not tried again")
            bench.drain()
            try bench.expectEqual(bench.readings(of: 0), [.inactive], "readings")
        },
        ContractCheck("a missing line is reported, with the nearest name") { bench in
            let real = bench.driver.locations[0]
            guard let name = real.lineNames.first else { return }
            var wrong = bench.input(0)
            wrong.location = LineLocation(lineNames: [name + "x"], chipLabels: real.chipLabels)
            let errors = bench.backend.open([wrong, bench.input(1)])
            try bench.expectEqual(errors.map(\.code), [.noSuchLine], "errors")
            try bench.expect(errors[0].remedy.contains(name), "remedy: \(errors[0].remedy)")
            bench.drain()
            try bench.expectEqual(bench.readings(of: 1), [.inactive], "readings of the other line")
        },
        ContractCheck("a missing chip is reported") { bench in
            var wrong = bench.input(0)
            wrong.location = LineLocation(chipLabels: ["no-such-chip"], offset: 0)
            let errors = bench.backend.open([wrong])
            try bench.expectEqual(errors.map(\.code), [.noSuchChip], "errors")
            try bench.expect(
                errors[0].cause.contains("no-such-chip"), "cause: \(errors[0].cause)")
        },
        ContractCheck("the same line twice is refused once") { bench in
            var twin = bench.input(1)
            twin.location = bench.driver.locations[0]
            let errors = bench.backend.open([bench.input(0), twin])
            try bench.expectEqual(errors.map(\.code), [.busy], "errors")
            try bench.expectEqual(errors[0].line, "input1", "line")
            try bench.expectEqual(errors[0].holder, "input0", "holder")
        },
    ]
}

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
        ContractCheck("chips with one label are told apart by the name that the error offers") {
            bench in
            guard let label = bench.driver.locations[0].chipLabels.first,
                let parents = bench.driver.addTwin()
            else { return }
            defer { bench.driver.removeTwin() }
            func input(_ line: Int, on chip: String) -> LineSettings {
                var settings = bench.input(line)
                settings.location = LineLocation(
                    chipLabels: [chip], platformDevice: chip, offset: UInt32(line))
                return settings
            }
            let errors = bench.backend.open([input(0, on: label)])
            try bench.expectEqual(errors.map(\.code), [.ambiguousLine], "errors")
            let offered = errors[0].remedy.split(separator: "`")
                .filter { $0.hasPrefix("chip: ") }.map { String($0.dropFirst(6)) }
            try bench.expectEqual(offered, parents, "remedy: \(errors[0].remedy)")
            try bench.open(input(0, on: offered[0]), input(1, on: offered[1]))
            bench.driver.set(line: 1, high: true)
            bench.driver.set(line: 0, high: true)
            bench.waitUntil { _ in !bench.edges(of: 0).isEmpty }
            try bench.expectEqual(bench.edges(of: 0).map(\.level), [.active], "edges")
            try bench.expectEqual(bench.edges(of: 1).map(\.level), [], "edges of the other chip")
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

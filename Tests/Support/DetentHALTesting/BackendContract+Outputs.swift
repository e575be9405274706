internal import DetentHAL
internal import DetentTypes

extension BackendContract {
    static let outputChecks: [ContractCheck] = [
        ContractCheck("an output begins with its initial level") { bench in
            try bench.open(bench.output(0, initial: .active), bench.output(1))
            try bench.expect(bench.driver.isHigh(line: 0), "the active output is low")
            try bench.expect(!bench.driver.isHigh(line: 1), "the inactive output is high")
        },
        ContractCheck("a write drives its output and no other, and can be read back") { bench in
            try bench.open(bench.output(0), bench.output(1, initial: .active), bench.output(2))
            for level in [Level.active, .inactive, .active] {
                try bench.write(0, level)
                try bench.expectEqual(
                    bench.driver.isHigh(line: 0), level == .active, "level of the pin")
                try bench.expectEqual(try bench.read(0).level, level, "level read back")
                try bench.expect(bench.driver.isHigh(line: 1), "another output moved")
                try bench.expect(!bench.driver.isHigh(line: 2), "another output moved")
            }
        },
        ContractCheck("a write is stamped between call and return") { bench in
            try bench.open(bench.output(0))
            for press in 0..<10 {
                let before = bench.driver.now
                let at = try bench.write(0, Level(press % 2 == 0))
                try bench.expect(
                    at >= before && at <= bench.driver.now,
                    "stamp \(at) is not between \(before) and \(bench.driver.now)")
            }
        },
        ContractCheck("writes happen in the order in which they were asked for") { bench in
            try bench.open(bench.output(0), bench.output(1))
            let first = bench.backend.write(LineID(0), .active, now: bench.driver.now)
            _ = bench.backend.write(LineID(0), .inactive, now: bench.driver.now)
            let last = bench.backend.write(LineID(1), .active, now: bench.driver.now)
            if first == nil || last == nil {
                bench.waitUntil { _ in bench.has(.written(.active), line: 1) }
                let order = bench.events.compactMap { event -> Int? in
                    if case .written = event.kind { return Int(event.line.index) }
                    return nil
                }
                try bench.expectEqual(order, [0, 0, 1], "lines in the order of their writes")
            }
            try bench.expect(!bench.driver.isHigh(line: 0), "the first output is still high")
            try bench.expect(bench.driver.isHigh(line: 1), "the second output is low")
        },
        ContractCheck("closing writes the levels for release") { bench in
            try bench.open(
                bench.output(0, initial: .active, onRelease: .inactive),
                bench.output(1, isActiveLow: true, initial: .active, onRelease: .inactive),
                bench.output(2, initial: .active, onRelease: nil))
            try bench.write(0, .inactive)
            try bench.write(0, .active)
            bench.backend.close()
            if let wasHigh = bench.driver.wasHighWhenReleased(line: 0) {
                try bench.expect(!wasHigh, "the output was high")
            }
            if let wasHigh = bench.driver.wasHighWhenReleased(line: 1) {
                try bench.expect(wasHigh, "the active-low output was low")
            }
        },
        ContractCheck("closing gives the lines back, and may be repeated") { bench in
            try bench.open(bench.input(0), bench.output(1, onRelease: .inactive))
            bench.backend.close()
            bench.backend.close()
            try bench.expect(bench.backend.descriptors.isEmpty, "descriptors after closing")
            try bench.expectEqual(bench.backend.deadline, .never, "deadline after closing")
            let other = bench.driver.makeBackend()
            defer { other.close() }
            let errors = try other.open([bench.input(0), bench.output(1)])
            try bench.expect(errors.isEmpty, "a second backend: \(errors.map(\.cause))")
        },
        ContractCheck("a backend can be opened again after it was closed") { bench in
            try bench.open(bench.input(0))
            bench.backend.close()
            try bench.open(bench.input(1), bench.output(0))
            bench.driver.set(line: 1, high: true)
            bench.waitUntil { _ in !bench.edges(of: 1).isEmpty }
            try bench.expectEqual(bench.edges(of: 1).map(\.level), [.active], "edges")
        },
    ]
}

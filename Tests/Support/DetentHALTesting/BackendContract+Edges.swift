internal import DetentHAL
internal import DetentTypes

extension BackendContract {
    static let edgeChecks: [ContractCheck] = [
        ContractCheck("both edges are reported, each with its level") { bench in
            try bench.open(bench.input(0), bench.input(1))
            var expected: [Level] = []
            for press in 0..<4 {
                bench.driver.set(line: 0, high: press % 2 == 0)
                expected.append(Level(press % 2 == 0))
                bench.waitUntil { _ in bench.edges(of: 0).count == expected.count }
            }
            bench.awaitSilence()
            try bench.expectEqual(bench.edges(of: 0).map(\.level), expected, "levels")
            try bench.expectEqual(bench.edges(of: 1).count, 0, "edges of the other line")
        },
        ContractCheck("stamps are those of the change, on the monotonic clock") { bench in
            try bench.open(bench.input(0))
            var latest = Instant.zero
            for press in 0..<10 {
                bench.forget()
                let before = bench.driver.now
                bench.driver.set(line: 0, high: press % 2 == 0)
                bench.waitUntil { _ in !bench.edges(of: 0).isEmpty }
                guard let edge = bench.edges(of: 0).first else {
                    throw ContractFailure("edge \(press) did not come")
                }
                try bench.expect(
                    edge.at >= before && edge.at - before <= bench.driver.stampTolerance,
                    "edge \(press) is stamped \(edge.at), the change was after \(before)")
                try bench.expect(edge.at >= latest, "stamp \(edge.at) is before \(latest)")
                latest = edge.at
            }
        },
        ContractCheck("edges of several lines come in the order of their stamps") { bench in
            try bench.open(
                bench.input(0), bench.input(1, isActiveLow: true), bench.input(2, bias: .pullDown),
                bench.input(3))
            var order: [Int] = []
            for round in 0..<6 {
                for line in [2, 0, 3, 1] {
                    bench.driver.set(line: line, high: round % 2 == 0)
                    order.append(line)
                }
            }
            bench.waitUntil { _ in bench.edges().count == order.count }
            try bench.expectEqual(bench.edges().map(\.line), order, "lines")
            let stamps = bench.edges().map(\.at)
            try bench.expect(
                zip(stamps, stamps.dropFirst()).allSatisfy { $0 <= $1 }, "stamps: \(stamps)")
        },
        ContractCheck("edges of a line are counted from 1, or not at all") { bench in
            try bench.open(bench.input(0), bench.input(1))
            for press in 0..<12 {
                bench.driver.set(line: press % 3 == 0 ? 1 : 0, high: press % 2 == 0)
                bench.drain()
            }
            bench.awaitSilence()
            for line in [0, 1] {
                let found = bench.edges(of: line).map(\.sequence)
                let expected = found.indices.map { bench.driver.countsEdges ? UInt32($0 + 1) : 0 }
                try bench.expect(!found.isEmpty, "line \(line) had no edge")
                try bench.expectEqual(found, expected, "sequences of line \(line)")
            }
        },
        ContractCheck("a small buffer gives everything in pieces, in order") { bench in
            try bench.open(bench.input(0), bench.input(1))
            for press in 0..<10 {
                bench.driver.set(line: press % 2, high: press / 2 % 2 == 0)
            }
            let small = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: 3)
            defer { small.deallocate() }
            var found: [LineEvent] = []
            let end = bench.driver.now + ContractBench.patience
            while found.count < 10, bench.driver.now < end {
                let count = bench.backend.drain(into: small, now: bench.driver.now)
                try bench.expect(count <= 3, "drain wrote \(count) events into room for 3")
                found.append(contentsOf: small.prefix(count))
                if count < 3 {
                    bench.driver.wait(for: bench.backend, until: min(end, bench.backend.deadline))
                }
            }
            try bench.expectEqual(
                found.map { Int($0.line.index) }, (0..<10).map { $0 % 2 }, "lines")
        },
    ]

    static let lossChecks: [ContractCheck] = [
        ContractCheck("3000 quick edges all arrive when they are fetched in time") { bench in
            try bench.open(bench.input(0))
            for press in 0..<3000 {
                bench.driver.set(line: 0, high: press % 2 == 0)
                if press % 8 == 7 { bench.drain() }
            }
            bench.waitUntil { _ in bench.edges(of: 0).count >= 3000 }
            let edges = bench.edges(of: 0)
            try bench.expectEqual(edges.count, 3000, "edges")
            try bench.expect(
                edges.enumerated().allSatisfy { $1.level == Level($0 % 2 == 0) },
                "levels do not alternate")
            try bench.expect(!bench.has(.overflow, line: 0), "overflow without a loss")
            try bench.expectEqual(try bench.read(0).level, .inactive, "level after the flood")
        },
        ContractCheck("edges lost in a full queue are reported, and reading corrects the level") {
            bench in
            try bench.open(bench.input(0), bench.input(1))
            // More than any queue of the kernel holds; the last level is high.
            for press in 0..<2501 {
                bench.driver.set(line: 0, high: press % 2 == 0)
            }
            bench.awaitSilence()
            let edges = bench.edges(of: 0)
            try bench.expect(!edges.isEmpty, "no edge came at all")
            if edges.count < 2501 {
                let sequences = [0] + edges.map(\.sequence)
                let hasGap = zip(sequences, sequences.dropFirst()).contains { $1 > $0 + 1 }
                try bench.expect(
                    hasGap || bench.has(.overflow, line: 0),
                    "\(2501 - edges.count) edges were lost without a gap or an overflow")
            }
            try bench.expectEqual(
                bench.has(.overflow, line: 1),
                bench.driver.sharesQueue && bench.has(.overflow, line: 0),
                "overflow of a quiet line")
            try bench.expectEqual(try bench.read(0).level, .active, "level after the loss")
        },
    ]
}

import DetentTypes
import TestSupport
import Testing

@testable import DetentTrace

/// Damaged files end in a capture or in problems, never in a trap.
@Suite struct FuzzTests {
    @Test(arguments: CaptureFormat.allCases, [1 as UInt64, 2, 3])
    func damagedFileNeverTraps(format: CaptureFormat, seed: UInt64) throws {
        var random = Seeded(seed)
        let original = try Self.original(format)
        #expect(throws: Never.self) { try Capture(original, format: format) }
        var refused = 0
        for round in 0..<TestLength.size(short: 250, long: 1_000) {
            let bytes = random.damaged(original)
            do throws(CaptureError) {
                let capture = try Capture(bytes, format: format)
                try Self.check(capture)
            } catch {
                refused += 1
                #expect(!error.problems.isEmpty, "seed \(seed), round \(round)")
            }
        }
        #expect(refused > 0, "seed \(seed): damage was never noticed")
    }

    @Test(arguments: CaptureFormat.allCases, [7 as UInt64, 8])
    func noiseNeverTraps(format: CaptureFormat, seed: UInt64) {
        var random = Seeded(seed)
        for _ in 0..<TestLength.size(short: 250, long: 1_000) {
            let count = Int.random(in: 0...400, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            if let capture = try? Capture(bytes, format: format) {
                #expect(throws: Never.self) { try Self.check(capture) }
            }
        }
    }

    /// What every capture promises.
    private static func check(_ capture: Capture) throws(CaptureError) {
        var last = Instant.zero
        for edge in capture.edges {
            #expect(edge.at >= last && edge.at > .zero)
            #expect(Int(edge.line) < capture.lines.count)
            last = edge.at
        }
        expectEqual(Set(capture.lines).count, capture.lines.count)
        expectEqual(capture.initialLevels.count, capture.lines.count)
    }

    static func original(_ format: CaptureFormat) throws -> [UInt8] {
        switch format {
        case .csv:
            Array("t_ns,line,value\n0,A,1\n0,B,0\n500,A,0\n700,B,1\n700,A,1\n".utf8)
        case .vcd:
            Array(
                """
                $timescale 1 us $end $scope module a $end $var wire 1 ! A $end
                $var wire 1 " B [0] $end $var real 64 r v $end $upscope $end
                $enddefinitions $end #0 $dumpvars 1! 0" r1 r $end #5 0! #7 b1 " 1! x" #9 0"
                """.utf8)
        case .sigrok:
            ArchiveBuilder.session(
                metadata: "[device 1]\ncapturefile=logic-1\nsamplerate=1 MHz\n"
                    + "probe1=A\nprobe2=B\nunitsize=1\n",
                pieces: [[0, 1, 1, 2], [3, 3, 0, 0, 1]])
        }
    }
}

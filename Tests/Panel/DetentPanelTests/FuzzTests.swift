import DetentPanel
import TestSupport
import Testing

/// SplitMix64: a seed gives the same numbers everywhere.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Fixtures with random damage: never a trap, and what is accepted makes an engine.
@Suite struct FuzzTests {
    private static let words: [String] = [
        ":", "- ", "[", "]", "{", "}", ",", "'", "\"", "\n", "  ", "\t", "&a", "*a", "!!x", "<<: ",
        "#", "|", ">", "?", "---", "%", "@", "\0", "ü", "0", "-1", "99999999999999999999", "20ms",
        "none", "auto", "kind: ", "switch", "dial", "radio-group", "pin 1", "P9.12", "range: ",
        "options: ", "latch: ", "debounce: ", "{min: -2147483648, max: 2147483647, step: 1}",
        "584y", "0.000001", "raspberry-pi-5", "beaglebone-black", "on", "off", "default: ",
    ]

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func mutationsNeverTrap(_ seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let files = ["accepted", "accepted", "accepted", "rejected"].flatMap { folder in
            Folder.names(folder).map { Repository.fixture("\(folder)/\($0)") }
        }
        let originals = try files.map { try SourceText.read(file: $0).bytes }
        var accepted = 0
        for round in 0..<250 {
            var bytes = originals[Int.random(in: 0..<originals.count, using: &numbers)]
            for _ in 0...(Int.random(in: 0..<12, using: &numbers) / 4) {
                mutate(&bytes, originals, &numbers)
            }
            if check(bytes, "seed \(seed), round \(round)") { accepted += 1 }
        }
        #expect(accepted > 0, "seed \(seed): nothing was accepted, so nothing was tried deeply")
    }

    private func mutate(
        _ bytes: inout [UInt8], _ originals: [[UInt8]], _ numbers: inout SeededNumbers
    ) {
        let place = Int.random(in: 0...bytes.count, using: &numbers)
        let end = min(bytes.count, place + Int.random(in: 0..<20, using: &numbers))
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &numbers) }
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 3: bytes.removeSubrange(place...)
        case 4:
            let other = originals[Int.random(in: 0..<originals.count, using: &numbers)]
            bytes.insert(contentsOf: other.prefix(200), at: place)
        case _:
            let word = Self.words[Int.random(in: 0..<Self.words.count, using: &numbers)]
            bytes.replaceSubrange(place..<end, with: word.utf8)
        }
    }

    /// Whether the bytes made a plan.
    private func check(_ bytes: [UInt8], _ comment: String) -> Bool {
        let reading = PanelReader.read(
            SourceText(file: "fuzz.yaml", bytes: bytes), deviceTree: "/nonexistent")
        expectEqual((reading.plan == nil), reading.problems.hasErrors, "\(comment)")
        #expect(reading.problems.count <= Limits.problems + 1)
        for problem in reading.problems {
            #expect(problem.place.line >= 1 && problem.place.column >= 1, "\(comment)")
            #expect(problem.place.length >= 1, "\(comment)")
            #expect(!problem.text.contains("\n") && !problem.help.contains("\n"), "\(comment)")
        }
        _ = ProblemRenderer.text(reading.problems)
        guard let plan = reading.plan else { return false }
        let storage = EngineStorage(for: plan.capacity)
        #expect(throws: Never.self, "\(comment)") { _ = try plan.makeEngine(in: storage) }
        return true
    }
}

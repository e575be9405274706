/// Calls that undo a law of the house, where they do so, and what to write instead.
struct BannedCall: Sendable {
    let text: String
    /// The places, by the beginning of the path; every Swift file if empty.
    let places: [String]
    /// Places below them where it is right after all.
    let exceptions: [String]
    let instead: String

    init(_ text: String, in places: [String] = [], but exceptions: [String] = [], instead: String) {
        self.text = text
        self.places = places
        self.exceptions = exceptions
        self.instead = instead
    }

    private static let core = ["Sources/Core/DetentCore/", "Sources/Core/DetentTypes/"]
    /// Tests that meet a real kernel or a real browser have to wait for them.
    private static let real = ["Tests/Kernel/", "Tests/Browser/"]

    static let all: [BannedCall] = [
        BannedCall(
            "import Foundation",
            instead: "Glibc, or FoundationEssentials: Foundation brings 58 MB of ICU along"),
        BannedCall(
            "Date()", instead: "take the time as a parameter; the shell asks MonotonicClock"),
        BannedCall(
            "MonotonicClock", in: core, instead: "take the time as a parameter: time is told"),
        BannedCall(
            "MonotonicClock",
            in: [
                "Sources/Simulation/DetentWorld/", "Sources/Panel/DetentPanel/",
                "Sources/Simulation/DetentScenario/",
            ],
            but: [
                "Sources/Simulation/DetentWorld/Backend/",
                "Sources/Simulation/DetentScenario/GPIOSim/",
            ],
            instead: "take the time as a parameter: time is told"),
        BannedCall("ContinuousClock", instead: "an Instant that is told, or MonotonicClock"),
        BannedCall("SuspendingClock", instead: "an Instant that is told, or MonotonicClock"),
        BannedCall("sleep(", in: ["Tests/"], but: real, instead: "virtual time"),
        BannedCall("usleep(", in: ["Tests/"], but: real, instead: "virtual time"),
        BannedCall("nanosleep(", in: ["Tests/"], but: real, instead: "virtual time"),
        // A token that a seed could repeat would confirm nothing, and a mask that can be foretold
        // is none.
        BannedCall(
            "SystemRandomNumberGenerator",
            but: [
                "Sources/Runtime/DetentRuntime/ConfirmTokens.swift",
                "Sources/Reach/DetentClient/ClientHandlers.swift",
            ],
            instead: "a generator with a seed that is printed"),
        BannedCall(".randomElement()", instead: "`randomElement(using:)` with a seed"),
        BannedCall(".shuffled()", instead: "`shuffled(using:)` with a seed"),
        BannedCall("try!", instead: "`try` in a function that throws, or `#require`"),
        BannedCall(
            "fatalError(", in: ["Sources/"],
            instead: "a state that cannot be made, or an error that says why"),
        BannedCall(
            "print(", in: ["Sources/"], but: ["Sources/Program/detent/"],
            instead: "a value that the command line writes"),
        BannedCall(
            "default:", in: ["Sources/Core/DetentCore/"],
            instead: "every case, so that the compiler finds this place when there is one more"),
        BannedCall(
            "case _:", in: core,
            instead: "every case, or `if` over a number: `case _:` hides a new case"),
        BannedCall(
            "(_, _)", in: core,
            instead: "every case of one of the two: `(_, _)` hides a new case of both"),
    ]

    /// Marks of unfinished work, in comments too.
    static let marks = ["FIXME", "TODO", "XXX"]

    /// What of the table stands in a file, and unfinished work.
    static func violations(_ file: SourceFile) -> [String] {
        // The rules themselves name what they look for.
        guard !file.path.hasPrefix("Tests/TidyTests/") else { return [] }
        var found: [String] = []
        for call in all where call.applies(to: file.path) && file.contains(call.text) {
            for (index, line) in file.code.enumerated() where contains(line, word: call.text) {
                found.append("\(file.place(index)): `\(call.text)`; instead: \(call.instead)")
            }
        }
        for (index, line) in file.code.enumerated()
        where line.contains(".random(") && !line.contains("using:") {
            found.append("\(file.place(index)): `.random(`; instead: `random(in:using:)`, seeded")
        }
        for mark in marks where file.contains(mark) {
            for (index, line) in file.lines.enumerated() where contains(String(line), word: mark) {
                found.append("\(file.place(index)): \(mark); finish it, or write it down elsewhere")
            }
        }
        return found
    }

    private func applies(to path: String) -> Bool {
        (places.isEmpty || places.contains { path.hasPrefix($0) })
            && !exceptions.contains { path.hasPrefix($0) }
    }

    /// Whether a line has a text that is no part of a longer word.
    static func contains(_ line: String, word: String) -> Bool {
        var rest = line.utf8[...]
        let bytes = Array(word.utf8)
        var before: UInt8 = 0x20
        while rest.count >= bytes.count {
            if rest.starts(with: bytes) {
                let after = rest.dropFirst(bytes.count).first ?? 0x20
                let startsInWord = isWord(bytes[0]) && isWord(before)
                let endsInWord = isWord(bytes[bytes.count - 1]) && isWord(after)
                if !startsInWord, !endsInWord { return true }
            }
            before = rest.removeFirst()
        }
        return false
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// The process of a wire reads foreign bytes, so what it says is not believed: a script is in its
/// place.
@Suite struct WireChildTests {
    /// How an attempt ends whose process says this when it has got the text.
    ///
    /// - Parameter notes: texts for `printf`.
    private func result(_ notes: [String]) throws -> ActionResult {
        let order = "dd bs=9000 count=1 <&0 >/dev/null 2>&1"
        let said = notes.map { "printf '\($0)' >&0" }.joined(separator: "; ")
        let script = "printf o >&0; \(order); \(said); exec sleep 60"
        let wires = try Wires(guardian: Guardian(), program: ["sh", "-c", script])
        defer { _ = wires.stop() }
        let outcomes = try Outcomes()
        let fields = [
            ActionField("to", .text("127.0.0.1:9")), ActionField("text", .text("VOLT 5\n")),
            ActionField("expect", .texts(["VOLT ", ""])),
        ]
        try wires.start(
            .tcp, ActionRequest(run: RunID(1), .fields(fields), keepsAnswer: true),
            tell: outcomes.tell)
        guard outcomes.waitForEnded(1), let result = outcomes.results.first else {
            throw NoResult()
        }
        return result
    }

    private static let sent = "s\\001\\000\\000\\000"

    @Test func theAnswerToTheOrderCounts() throws {
        let result = try result([Self.sent, "a\\001\\000\\000\\000VOLT 5"])
        expectEqual(result.outcome, .succeeded)
        expectEqual(result.answer, Array("VOLT 5".utf8))
    }

    /// The answer to another order, one before the order was sent, and a note of no known form.
    @Test(arguments: [
        [sent, "a\\007\\000\\000\\000VOLT 5"], [sent, "u\\007\\000\\000\\000"],
        ["s\\007\\000\\000\\000"], [sent, "xyz"], [sent, "o"],
    ])
    func whatIsNotTheAnswerEndsTheWire(notes: [String]) throws {
        let result = try result(notes)
        expectEqual(result.outcome, .lost)
        expectEqual(result.answer, nil)
    }

    /// Answers that came for what was given up change nothing.
    @Test func anAnswerBeforeTheOrderWasSentIsNone() throws {
        let result = try result([
            "a\\001\\000\\000\\000VOLT 4", Self.sent, "a\\001\\000\\000\\000VOLT 5",
        ])
        expectEqual(result.answer, Array("VOLT 5".utf8))
    }
}

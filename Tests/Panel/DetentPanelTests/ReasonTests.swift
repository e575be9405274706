import DetentCore
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentPanel

/// The words for reasons, and the table of docs/state.md that lists them.
@Suite struct ReasonTests {
    /// Each reason with the form in which the document lists it.
    private static let forms: [(reason: Reason, text: String, form: String)] = [
        (.failed(.exit(3)), "exit 3", "exit N"),
        (.failed(.exit(255)), "exit 255", "exit N"),
        (.failed(.notStarted), "not started", "not started"),
        (
            .failed(.cannotStart(errno: UInt16(ENOENT))),
            "could not start: No such file or directory", "could not start: ERROR"
        ),
        (.failed(.valueUnknown(ControlID(1))), "axis is unknown", "CONTROL is unknown"),
        (.failed(.stepFailed), "step failed", "step failed"),
        (.failed(.invalidAnswer), "invalid answer", "invalid answer"),
        (.failed(.http(status: 503)), "HTTP 503", "HTTP N"),
        (.failed(.refused), "refused", "refused"),
        (.failed(.unreachable), "unreachable", "unreachable"),
        (.timedOut, "timed out", "timed out"),
        (.cancelled, "cancelled", "cancelled"),
        (.killed(signal: 9), "signal 9", "signal N"),
        (.lost, "lost", "lost"),
    ]

    @Test func everyReasonHasItsWords() throws {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {a: {kind: button, label: Start, input: A}, "
                + "axis: {kind: switch, label: Axis, input: B}}")
        let plan = try #require(reading.plan)
        for (reason, text, _) in Self.forms { expectEqual(reason.text(in: plan), text) }
        #expect(Reason.none.text(in: plan) == nil)
    }

    @Test func theDocumentListsThemAll() throws {
        let bytes = try SourceText.read(file: Repository.path("docs/state.md")).bytes
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let table = lines.drop { !$0.hasPrefix("| reason |") }.dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        let listed = table.compactMap { row in
            row.split(separator: "`").dropFirst().first.map(String.init)
        }
        expectEqual(listed.count, Set(listed).count)
        expectEqual(Set(listed), Set(Self.forms.map(\.form)))
    }

    /// A reason is copied with every report; it must stay as small as a number and a case.
    @Test func aReasonStaysSmall() {
        #expect(MemoryLayout<Reason>.size <= 5)
        #expect(MemoryLayout<ActionOutcome>.size <= 5)
    }
}

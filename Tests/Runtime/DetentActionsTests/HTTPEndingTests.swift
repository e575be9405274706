import DetentTypes
import TestSupport
import Testing

@testable import DetentActions

/// What the end of `curl` becomes, where no service can make it so.
@Suite struct HTTPEndingTests {
    private func ending(
        _ outcome: ActionOutcome, _ told: String, isCut: Bool = false, answer: String = "on"
    ) throws -> ActionResult {
        KnownSecrets.ofThisProcess.learn("hidden")
        var ended = ActionResult(
            run: RunID(1), outcome: outcome, explanation: "of the program", startedAt: .zero,
            endedAt: .zero, standardErrorTail: told, standardOutputTail: "the end of a hid",
            answer: Array(answer.utf8))
        ended.isOutputCut = isCut
        return HTTPEnding.result(ended, keepsAnswer: true)
    }

    @Test func secretsAreInNoText() throws {
        let result = try ending(
            .failed(.exit(6)), "000 Could not resolve host: hidden.lan", answer: "a hidden word")
        #expect(result.outcome == .failed(.unreachable) && result.answer == nil)
        expectEqual(result.explanation, "Could not resolve host: ….lan")
        #expect(result.standardErrorTail == "" && result.standardOutputTail == "a … word")
    }

    /// The end of an answer begins after the secret, or has all of it.
    @Test(arguments: [4_090, 4_093, 4_096])
    func aSecretIsNotCut(after: Int) throws {
        let answer = "hidden" + String(repeating: "x", count: after)
        let result = try ending(.failed(.exit(22)), "404 why", answer: answer)
        expectEqual(result.standardOutputTail?.contains("dden"), false)
        #expect(result.standardOutputTail?.utf8.count ?? 0 <= ActionLimits.outputTail)
        let cut = try ending(.failed(.exit(23)), "200 ", isCut: true, answer: answer)
        expectEqual(cut.standardOutputTail, "")
    }

    /// The pipe took the rest before it was closed, so that curl saw no error.
    @Test(arguments: [ActionOutcome.succeeded, .failed(.exit(23)), .failed(.exit(22))])
    func anAnswerThatWasCutIsInvalid(outcome: ActionOutcome) throws {
        let result = try ending(outcome, "200 ", isCut: true)
        #expect(result.outcome == .failed(.invalidAnswer) && result.answer == nil)
        expectEqual(result.explanation, "the answer is longer than 65536 bytes")
    }

    @Test(
        arguments: [
            (1, .lost), (2, .failed(.notStarted)), (3, .failed(.notStarted)),
            (5, .failed(.unreachable)), (7, .failed(.unreachable)), (18, .lost),
            (22, .failed(.http(status: 404))), (27, .failed(.notStarted)), (28, .lost),
            (35, .failed(.unreachable)), (52, .lost), (56, .lost), (60, .failed(.unreachable)),
        ] as [(UInt8, ActionOutcome)])
    func theExitCodeDecides(code: UInt8, outcome: ActionOutcome) throws {
        expectEqual(try ending(.failed(.exit(code)), "404 why").outcome, outcome)
        if code != 22 {
            expectEqual(try ending(.failed(.exit(code)), "404  why").explanation, "why")
            expectEqual(
                try ending(.failed(.exit(code)), "404").explanation, "curl ended with code \(code)")
        }
    }

    @Test(arguments: [
        (199, false), (200, true), (299, true), (300, false), (399, false), (400, false),
    ])
    func onlyStatusesFrom200AreSuccess(status: UInt16, isSuccess: Bool) throws {
        let result = try ending(.succeeded, "\(status) ")
        expectEqual(result.outcome, (isSuccess ? .succeeded : .failed(.http(status: status))))
        expectEqual(result.answer, (isSuccess ? Array("on".utf8) : nil))
        expectEqual(result.explanation.contains("does not follow"), (300...399).contains(status))
    }

    @Test(arguments: [ActionOutcome.timedOut, .cancelled, .lost, .killed(signal: 9)])
    func otherEndsStay(outcome: ActionOutcome) throws {
        let result = try ending(outcome, "200 ")
        #expect(result.outcome == outcome && result.explanation == "of the program")
        #expect(result.answer == nil)
    }
}

import DetentTypes

/// What the end of a request means: the status of its answer, or what `curl` says.
enum HTTPEnding {
    /// The result of a request that `curl` made.
    ///
    /// Its texts are for people and show no secret. Its `answer` is read as it came: a secret may
    /// be a word that means a value.
    ///
    /// - Parameter keepsAnswer: whether the request asked for the answer; `ended` has it anyway.
    static func result(_ ended: ActionResult, keepsAnswer: Bool) -> ActionResult {
        var result = ended
        result.standardErrorTail = ""
        // The tail that the runner has kept may begin in the middle of a secret.
        result.standardOutputTail = ended.isOutputCut ? "" : tail(of: ended.answer ?? [])
        let told = Told(ended.standardErrorTail)
        switch ended.outcome {
        case .succeeded:
            (result.outcome, result.explanation) = judge(told, ended)
        case .failed(.exit(let status)):
            (result.outcome, result.explanation) = judge(told, ended, exit: status)
        case .failed, .killed, .timedOut, .cancelled, .lost:
            break
        }
        if !keepsAnswer || result.outcome != .succeeded { result.answer = nil }
        result.explanation = KnownSecrets.ofThisProcess.hide(result.explanation)
        return result
    }

    /// The end of an answer. Secrets are hidden before it is cut.
    static func tail(of body: [UInt8]) -> String {
        let text = KnownSecrets.ofThisProcess.hide(String(decoding: body, as: UTF8.self))
        var tail = ByteTail(capacity: ActionLimits.outputTail)
        Array(text.utf8).withUnsafeBytes { tail.append($0) }
        return tail.text
    }

    /// What `write-out` printed: the status, and the error in words.
    private struct Told {
        var status: UInt16
        var message: String

        init(_ text: String) {
            let first = text.prefix { $0 != " " }
            status = UInt16(first) ?? 0
            message = String(text[first.endIndex...].drop { $0 == " " })
        }
    }

    /// A whole answer came.
    private static func judge(_ told: Told, _ ended: ActionResult) -> (ActionOutcome, String) {
        ended.isOutputCut ? tooLong : judge(status: told.status)
    }

    /// What the status of a whole answer means.
    static func judge(status: UInt16) -> (ActionOutcome, String) {
        switch status {
        case 200...299:
            return (.succeeded, "HTTP \(status)")
        case 300...399:
            return (
                .failed(.http(status: status)),
                "HTTP \(status): the service sends to another address, and Detent does not "
                    + "follow; write that address"
            )
        case _:
            return (.failed(.http(status: status)), "HTTP \(status)")
        }
    }

    /// The answer is too long to be kept.
    static let tooLong: (ActionOutcome, String) = (
        .failed(.invalidAnswer), "the answer is longer than \(ActionLimits.httpAnswer) bytes"
    )

    /// The exit status of curl, as its manual lists them.
    private static func judge(
        _ told: Told, _ ended: ActionResult, exit status: UInt8
    ) -> (ActionOutcome, String) {
        if ended.isOutputCut { return tooLong }
        switch status {
        case 22:  // an answer with a status of 400 or more
            return (.failed(.http(status: told.status)), "HTTP \(told.status)")
        case 5, 6, 7, 35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91, 97, 98:
            // Name look-up, connection, proxy and TLS: nothing of the request was sent.
            return (.failed(.unreachable), message(told, status))
        case 2, 3, 4, 27, 43:
            return (.failed(.notStarted), message(told, status))
        case _:
            // The connection broke when the service may have had the request already.
            return (.lost, message(told, status))
        }
    }

    private static func message(_ told: Told, _ status: UInt8) -> String {
        told.message.isEmpty ? "curl ended with code \(status)" : told.message
    }
}

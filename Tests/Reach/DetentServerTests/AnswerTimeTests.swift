import DetentRuntime
import DetentTypes
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// Every answer has a time limit, also one that is made on another thread.
@Suite struct AnswerTimeTests {
    /// Work that waits until the test lets it go on.
    private final class Elsewhere: Sendable {
        private let waiting = Mutex<[@Sendable () -> Void]>([])

        func background(_ eventLoop: any EventLoop) -> RequestHandler.RunInBackground {
            { make, reply in
                let back = NIOLoopBound(reply, eventLoop: eventLoop)
                self.waiting.withLock { waiting in
                    waiting.append {
                        let response = make()
                        eventLoop.execute { back.value(response) }
                    }
                }
            }
        }

        /// Does what waits, and what waits then.
        func work() {
            while let next = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
        }
    }

    @Test(arguments: [
        "/api/v1/face?width=900&height=600", "/api/v1/wiring", "/api/v1/scenario",
        "/api/v1/scenario?file=expected", "/api/v1/trace",
    ])
    func whatTakesTooLongIsAnsweredInTime(path: String) throws {
        let elsewhere = Elsewhere()
        let served = try Served(
            answer: .milliseconds(400), isSimulated: true, background: elsewhere.background)
        let client = try served.client()
        let late = try #require(client.get(path, served.port))
        expectEqual(late.status, 503)
        let text = String(decoding: late.body, as: UTF8.self)
        #expect(text.contains("The answer takes longer than 400ms"), "\(text)")
        // What comes too late is dropped: the next answer belongs to the next request.
        elsewhere.work()
        let next = try #require(client.get("/healthz", served.port))
        #expect(next.status == 200 && next.body == Array("ok\n".utf8))
    }

    /// A panel that hangs is noticed by its own, shorter limit.
    @Test func aPanelThatHangsIsToldEarlier() {
        #expect(RuntimeLimits.answerTime < ServerLimits.answerTime)
    }
}

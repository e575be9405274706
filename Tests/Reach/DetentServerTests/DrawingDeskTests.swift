import DetentPanel
import DetentRuntime
import TestSupport
import Testing

@testable import DetentServer

/// Faces of windows and the wiring are drawn elsewhere, one at a time.
@Suite struct DrawingDeskTests {
    /// Work that a test carries out when it wants.
    private final class Elsewhere {
        var waiting: [() -> Void] = []

        func run(
            _ make: @escaping @Sendable () -> HTTPResponse,
            _ reply: @escaping (HTTPResponse) -> Void
        ) {
            waiting.append { reply(make()) }
        }

        func work() { waiting.removeFirst()() }
    }

    private let elsewhere = Elsewhere()
    private let desk: DrawingDesk
    private let plan: PanelPlan

    init() throws {
        plan = try ServedPanel.plan()
        desk = DrawingDesk(runInBackground: elsewhere.run)
    }

    private func ask(
        _ width: Int, _ height: Int = 600, session: String = "a", as role: AccessRole = .configure
    ) -> Answer {
        let answer = Answer()
        let window = DrawingDesk.Window(width: width, height: height)
        desk.draw(.face(window), of: plan, session: session, as: role) { answer.response = $0 }
        return answer
    }

    private func askForWiring() -> Answer {
        let answer = Answer()
        desk.draw(.wiring, of: plan, session: "a", as: .view) { answer.response = $0 }
        return answer
    }

    private final class Answer {
        var response: HTTPResponse?
    }

    @Test func nothingIsLaidOutWhileOneAsks() {
        let answer = ask(900)
        #expect(answer.response == nil, "others are served first")
        elsewhere.work()
        expectEqual(answer.response?.status, 200)
    }

    /// Windows of nearly one size, and later ones of the same, have one face.
    @Test func neighboursShareAFace() {
        let answers = [ask(904), ask(905), ask(911)]
        expectEqual(elsewhere.waiting.count, 1)
        elsewhere.work()
        #expect(answers.allSatisfy { $0.response?.status == 200 })
        expectEqual(ask(910).response, answers[0].response)
        #expect(elsewhere.waiting.isEmpty)
        #expect(ask(910, session: "b").response == nil, "another panel has another face")
    }

    @Test func oneAtATimeInTheirOrder() {
        let (first, second) = (ask(800), ask(1_000))
        expectEqual(elsewhere.waiting.count, 1)
        elsewhere.work()
        #expect(first.response != nil && second.response == nil)
        elsewhere.work()
        #expect(second.response != nil)
    }

    @Test func waitingIsBounded() {
        let taken = (0..<ServerLimits.waitingDrawings).map { ask(800 + 8 * $0) }
        expectEqual(ask(1_600).response?.status, 429)
        expectEqual(elsewhere.waiting.count, 1)
        for _ in taken { elsewhere.work() }
        #expect(taken.allSatisfy { $0.response?.status == 200 })
    }

    /// Viewers cannot take all places, and who may do more is served before them.
    @Test func everyRoleHasAPlace() {
        var taken: [AccessRole: [Answer]] = [:]
        for (place, role) in AccessRole.allCases.enumerated() {
            while taken[role, default: []].count < 20 {
                let size = 800 + 200 * place + 8 * taken[role, default: []].count
                let answer = ask(size, as: role)
                guard answer.response == nil else { break }
                taken[role, default: []].append(answer)
            }
        }
        expectEqual(taken.mapValues(\.count), [.view: 6, .operate: 1, .configure: 1])
        elsewhere.work()
        elsewhere.work()
        #expect(taken[.configure]?[0].response != nil && taken[.operate]?[0].response == nil)
        elsewhere.work()
        #expect(taken[.operate]?[0].response != nil)
        expectEqual(taken[.view]?.count { $0.response != nil }, 1, "it was under way")
    }

    /// Those that wait for one drawing are bounded in the same way.
    @Test func whoWaitsForOneDrawingIsBounded() {
        let viewers = (0..<100).map { _ in ask(800, as: .view) }
        expectEqual(viewers.count { $0.response?.status == 429 }, 100 - 48)
        #expect(ask(800, as: .operate).response == nil && ask(800).response == nil)
    }

    /// The wiring waits for its turn as a face does, and is kept.
    @Test func theWiringIsDrawnElsewhereAndOnce() {
        let (face, wiring) = (ask(800), askForWiring())
        elsewhere.work()
        #expect(face.response != nil && wiring.response == nil)
        elsewhere.work()
        expectEqual(wiring.response?.status, 404, "this panel names no board")
        expectEqual(askForWiring().response, wiring.response)
        #expect(elsewhere.waiting.isEmpty)
    }

    /// What all faces share is made ahead once for each panel, and changes no face.
    @Test func whatIsMadeAheadChangesNothing() throws {
        let asked = ask(800)
        desk.prepare(plan, session: "a")
        desk.prepare(plan, session: "a")
        elsewhere.work()
        let face = try #require(asked.response)
        expectEqual(elsewhere.waiting.count, 1)
        elsewhere.work()
        #expect(elsewhere.waiting.isEmpty, "it was asked for twice and made once")

        desk.prepare(plan, session: "b")
        let after = ask(800, session: "b")
        elsewhere.work()
        #expect(after.response == nil)
        elsewhere.work()
        expectEqual(after.response, face)
        for (place, session) in ["c", "d"].enumerated() {
            desk.prepare(plan, session: session)
            elsewhere.work()
            let other = ask(1_000 + 8 * place, session: "b")
            elsewhere.work()
            expectEqual(other.response?.status, 200, "what was made for another panel is not used")
        }
    }

    /// A crowd that reads the page takes no place of those who ask.
    @Test func nothingIsMadeAheadWhereManyWait() {
        let taken = (0..<ServerLimits.waitingDrawings).map { ask(800 + 8 * $0) }
        desk.prepare(plan, session: "a")
        for _ in taken { elsewhere.work() }
        #expect(elsewhere.waiting.isEmpty)
        #expect(taken.allSatisfy { $0.response?.status == 200 })
    }

    /// What is kept is bounded in bytes, too.
    @Test func largeDrawingsAreNotKept() {
        let large = HTTPResponse(200, type: "x", [UInt8](repeating: 0, count: 1 << 20))
        var made = 0
        let desk = DrawingDesk { _, reply in
            made += 1
            reply(large)
        }
        func ask(_ width: Int) {
            let window = DrawingDesk.Window(width: width, height: 600)
            desk.draw(.face(window), of: plan, session: "a", as: .view) { _ in }
        }
        for width in [800, 900, 1_000, 1_100, 1_200] { ask(width) }
        for width in [1_200, 1_100, 1_000, 800] { ask(width) }
        expectEqual(made, 5 + 1, "four of a mebibyte are kept")
    }

    @Test func aSmallWindowHasASize() {
        let window = DrawingDesk.Window(width: 3, height: 15)
        #expect(window.width == 1 && window.height == 8)
    }
}

import DetentFace
import DetentPanel
import Synchronization

/// Makes drawings of the panel, on another thread and one at a time: faces for windows, and the
/// wiring.
///
/// A face of a large panel takes seconds, and a window that is dragged asks for one size after the
/// other. Sizes are rounded down to `ServerLimits.facePixels`, so that neighbours share a face.
///
/// Synchronization: none; all calls on the hub's thread.
final class DrawingDesk {
    typealias Reply = RequestHandler.Reply

    struct Window: Equatable, Sendable {
        var width: Int
        var height: Int

        /// A window whose size is rounded down, but not to nothing.
        init(width: Int, height: Int) {
            let step = ServerLimits.facePixels
            self.width = max(1, width / step * step)
            self.height = max(1, height / step * step)
        }
    }

    /// What is drawn of a panel.
    enum Subject: Equatable, Sendable {
        case face(Window)
        case wiring
        /// What all faces share, before a window is known.
        case ahead
    }

    /// What was made ahead for the next face. From any thread.
    private final class Shelf: Sendable {
        private let faces = Mutex<(session: String, made: FacesAhead)?>(nil)

        func put(_ made: FacesAhead, for session: String) {
            faces.withLock { $0 = (session, made) }
        }

        /// What was made for this session; it is needed once, as neighbours share a face.
        func faces(for session: String) -> FacesAhead? {
            guard let found = faces.withLock({ $0.take() }) else { return nil }
            return found.session == session ? found.made : nil
        }
    }

    /// A drawing of a panel; a reload begins another session.
    private struct Drawing: Equatable {
        let subject: Subject
        let session: String
    }

    private struct Job {
        let drawing: Drawing
        let plan: PanelPlan
        let role: AccessRole
        var replies: [Reply]
    }

    private let runInBackground: RequestHandler.RunInBackground
    /// The newest first.
    private var kept: [(drawing: Drawing, response: HTTPResponse)] = []
    /// The first is under way.
    private var jobs: [Job] = []
    private let shelf = Shelf()
    /// The last session that something was made ahead for.
    private var session: String?

    init(runInBackground: @escaping RequestHandler.RunInBackground) {
        self.runInBackground = runInBackground
    }

    /// Replies with a drawing of a panel, at once if it is kept. Who asks while
    /// `ServerLimits.waitingDrawings` others wait is answered 429. Callers that may do more come
    /// first.
    func draw(
        _ subject: Subject, of plan: PanelPlan, session: String, as role: AccessRole,
        _ reply: @escaping Reply
    ) {
        let drawing = Drawing(subject: subject, session: session)
        if let known = kept.first(where: { $0.drawing == drawing }) {
            return reply(known.response)
        }
        if let place = jobs.firstIndex(where: { $0.drawing == drawing }) {
            let places = ServerLimits.places(ServerLimits.waitingRequests, for: role)
            guard jobs[place].replies.count < places else {
                return reply(HTTPResponse(.tooMuch))
            }
            jobs[place].replies.append(reply)
            return
        }
        guard jobs.count < ServerLimits.places(ServerLimits.waitingDrawings, for: role) else {
            return reply(HTTPResponse(.tooMuch))
        }
        // The first is under way.
        let place = jobs.dropFirst().firstIndex { $0.role < role } ?? jobs.endIndex
        let job = Job(drawing: drawing, plan: plan, role: role, replies: [reply])
        jobs.insert(job, at: place)
        if jobs.count == 1 { work() }
    }

    /// Makes ahead what takes longest of a face, once for each session: a page that is read asks
    /// for one next.
    func prepare(_ plan: PanelPlan, session: String) {
        let most = ServerLimits.places(ServerLimits.waitingDrawings, for: .view)
        guard session != self.session, jobs.count < most else { return }
        self.session = session
        let drawing = Drawing(subject: .ahead, session: session)
        jobs.append(Job(drawing: drawing, plan: plan, role: .view, replies: []))
        if jobs.count == 1 { work() }
    }

    private func work() {
        guard let job = jobs.first else { return }
        let (drawing, plan, shelf) = (job.drawing, job.plan, shelf)
        runInBackground({ Self.response(drawing, plan, shelf) }) { [weak self] response in
            self?.finish(response)
        }
    }

    private func finish(_ response: HTTPResponse) {
        let done = jobs.removeFirst()
        if done.drawing.subject != .ahead { keep(response, for: done.drawing) }
        for reply in done.replies { reply(response) }
        work()
    }

    private func keep(_ response: HTTPResponse, for drawing: Drawing) {
        kept.insert((drawing, response), at: 0)
        while kept.count > ServerLimits.keptDrawings
            || kept.reduce(0, { $0 + $1.response.body.count }) > ServerLimits.keptDrawingBytes
        { kept.removeLast() }
    }

    private static func response(
        _ drawing: Drawing, _ plan: PanelPlan, _ shelf: Shelf
    ) -> HTTPResponse {
        switch drawing.subject {
        case .face(let window):
            return face(window, plan, shelf.faces(for: drawing.session))
        case .wiring:
            return wiring(plan)
        case .ahead:
            shelf.put(FacesAhead(plan), for: drawing.session)
            return HTTPResponse(200, FaceDescription.none)
        }
    }

    private static func face(
        _ window: Window, _ plan: PanelPlan, _ ahead: FacesAhead?
    ) -> HTTPResponse {
        do throws(FaceError) {
            let fit = try FaceFit(
                plan, width: Double(window.width), height: Double(window.height), ahead: ahead)
            return HTTPResponse(200, FaceDescription(fit: fit, plan: plan).json)
        } catch {
            return HTTPResponse(404, FaceDescription.none)
        }
    }

    private static func wiring(_ plan: PanelPlan) -> HTTPResponse {
        guard let wiring = Wiring(plan) else {
            let cause = Wiring.needsBoard.cause
            return HTTPResponse(
                APIError(
                    404, cause.prefix(1).uppercased() + cause.dropFirst(),
                    Wiring.needsBoard.remedy))
        }
        return HTTPResponse(200, type: "image/svg+xml", text: WiringDrawing.svg(wiring))
    }
}

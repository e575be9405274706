import DetentFace
import DetentPanel

/// Lays out faces for windows, on another thread and one at a time.
///
/// A face of a large panel takes seconds, and a window that is dragged asks for one size after the
/// other. Sizes are rounded down to `ServerLimits.facePixels`, so that neighbours share a face.
///
/// Synchronization: none; all calls on the hub's thread.
final class FaceDesk {
    typealias Reply = RequestHandler.Reply

    struct Window: Equatable, Sendable {
        var width: Int
        var height: Int
        /// The panel: a reload begins another session.
        var session: String

        /// A window whose size is rounded down, but not to nothing.
        init(width: Int, height: Int, session: String) {
            let step = ServerLimits.facePixels
            self.width = max(1, width / step * step)
            self.height = max(1, height / step * step)
            self.session = session
        }
    }

    private struct Job {
        let window: Window
        let plan: PanelPlan
        var replies: [Reply]
    }

    private let runInBackground: RequestHandler.RunInBackground
    /// The newest first.
    private var kept: [(window: Window, response: HTTPResponse)] = []
    /// The first is under way.
    private var jobs: [Job] = []

    init(runInBackground: @escaping RequestHandler.RunInBackground) {
        self.runInBackground = runInBackground
    }

    /// Replies with the face of a window, at once if it is kept. Who asks while
    /// `ServerLimits.waitingFaces` other windows wait is answered 429.
    func face(for window: Window, of plan: PanelPlan, _ reply: @escaping Reply) {
        if let known = kept.first(where: { $0.window == window }) { return reply(known.response) }
        if let place = jobs.firstIndex(where: { $0.window == window }) {
            guard jobs[place].replies.count < ServerLimits.waitingRequests else {
                return reply(HTTPResponse(.tooMuch))
            }
            jobs[place].replies.append(reply)
            return
        }
        guard jobs.count < ServerLimits.waitingFaces else { return reply(HTTPResponse(.tooMuch)) }
        jobs.append(Job(window: window, plan: plan, replies: [reply]))
        if jobs.count == 1 { work() }
    }

    private func work() {
        guard let job = jobs.first else { return }
        let (window, plan) = (job.window, job.plan)
        runInBackground({ Self.response(window, plan) }) { [weak self] response in
            self?.finish(response)
        }
    }

    private func finish(_ response: HTTPResponse) {
        let done = jobs.removeFirst()
        kept = [(done.window, response)] + kept.prefix(ServerLimits.keptFaces - 1)
        for reply in done.replies { reply(response) }
        work()
    }

    private static func response(_ window: Window, _ plan: PanelPlan) -> HTTPResponse {
        do throws(FaceError) {
            let fit = try FaceFit(
                plan, width: Double(window.width), height: Double(window.height))
            return HTTPResponse(200, FaceDescription(fit: fit, plan: plan).json)
        } catch {
            return HTTPResponse(404, FaceDescription.none)
        }
    }
}

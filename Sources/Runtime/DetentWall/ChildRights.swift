import DetentCore
import DetentTypes

/// What a process beside a panel may ask of it: what its most powerful caller may, and no more.
///
/// The panel fixes it. A process that was taken over gains nothing beyond it.
package struct ChildRights: Equatable, Sendable {
    /// Where its callers are.
    var origins: [Origin.Place]
    /// Whether they may operate the panel, and not only look at it.
    var operates: Bool
    /// Whether they may have the panel file read again.
    var reloads: Bool

    /// - Parameters:
    ///   - origins: where its callers are; requests with another origin are refused.
    ///   - operates: whether a caller may operate the panel.
    ///   - reloads: whether a caller may have the panel file read again.
    package init(origins: [Origin.Place], operates: Bool, reloads: Bool = false) {
        self.origins = origins
        self.operates = operates
        self.reloads = reloads
    }

    /// Whether the process may send this. One that sends what it may not is ended.
    func allow(_ request: PanelRequest) -> Bool {
        switch request {
        case .begin, .watch, .snapshot, .trace: true
        case .intent(_, _, let origin, _), .change(_, _, let origin, _), .fire(_, _, let origin, _):
            operates && origins.contains(origin.place)
        case .confirming(_, let request): allow(request)
        case .resync(let origin), .lampTest(_, let origin), .close(_, let origin):
            operates && origins.contains(origin.place)
        case .reload(let origin): reloads && origins.contains(origin.place)
        }
    }
}

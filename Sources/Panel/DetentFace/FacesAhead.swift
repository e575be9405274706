public import DetentPanel

/// What the faces of a panel share: its layouts, made before the window is known.
///
/// For a large panel it takes most of the time that a face takes.
public struct FacesAhead: Sendable {
    let layouts: FaceLayouts

    /// Makes the layouts of a panel, which may take seconds.
    public init(_ plan: PanelPlan) {
        var layouts = FaceLayouts(plan)
        _ = layouts.all()
        self.layouts = layouts
    }
}

public import DetentPanel

/// The face of a panel for a window: how large it is drawn, and where everything is.
public struct FaceFit: Equatable, Sendable {
    /// Pixels for each millimetre.
    public var scale: Double
    /// The face; its width may be less than that of the window. `FaceLayout.face` gives the same
    /// face for this width.
    public var face: Face

    /// Pixels of a millimetre at true size: 96 for each inch.
    static let trueSize = 96 / 25.4
    /// The least height of letters on a page in CSS pixels, and that of labels in millimetres.
    static let smallestLetter = 11.0
    static let labelHeight = 3.0
    /// How much smaller or larger than true size a face is drawn: the letters of a label have their
    /// least height. A window that shows less of such a face is scrolled.
    static let scales = smallestLetter / labelHeight / trueSize...1.5
    private static let steps = 6
    /// Windows up to this width in CSS pixels are those of phones.
    static let phone = 480.0

    /// How many groups a window shows before it is scrolled, where their parts are not too small.
    static let firstGroups = 2

    /// The largest face that a window shows as a whole; where none does, one as wide as the window
    /// that scrolls, whose first groups are seen at once.
    ///
    /// A phone always scrolls: its parts are for fingers, so they are drawn at true size where the
    /// widest control leaves room for it.
    ///
    /// - Parameters:
    ///   - width: of the window in CSS pixels.
    ///   - height: of the window in CSS pixels.
    ///   - ahead: what was made ahead for this panel; it changes nothing but the time.
    /// - Throws: `FaceError.empty` where the panel has no control. Controls without hardware have
    ///   their place here, though no template has a hole for them.
    public init(
        _ plan: PanelPlan, width: Double, height: Double, ahead: FacesAhead? = nil
    ) throws(FaceError) {
        var layouts = ahead?.layouts ?? FaceLayouts(plan)
        let least = try layouts.least().millimeters
        if let fixed = plan.plateMillimeters, fixed >= least,
            fixed * Self.trueSize * Self.scales.lowerBound <= width
        {
            face = layouts.arranged(fixed).face(width: fixed)
            scale = Self.scale(of: face, width, height)
            return
        }
        if width > Self.phone, let best = Self.whole(layouts.all(), width, height) {
            face = best.face(width: best.width)
            scale = Self.scale(of: face, width, height)
            return
        }
        // A window narrower than a control shrinks it.
        var chosen = Self.scrolled(&layouts, min(Self.trueSize, width / least), width, least)
        for step in 0...Self.steps where width > Self.phone {
            let part = Double(step) / Double(Self.steps)
            let scale = Self.trueSize * (1 - part * (1 - Self.scales.lowerBound))
            guard least * scale <= width else { continue }
            let tried = Self.scrolled(&layouts, scale, width, least)
            if Self.firstGroupsEnd(tried.face) * tried.scale <= height {
                chosen = tried
                break
            }
        }
        (scale, face) = chosen
    }

    /// Of the plates that a window shows as a whole the one that is drawn largest, and of equal
    /// ones the smallest; nil where none is readable.
    private static func whole(
        _ layouts: [PlateLayout], _ width: Double, _ height: Double
    ) -> PlateLayout? {
        let fits = layouts.filter { layout in
            min(width / layout.width, height / layout.height) >= scales.lowerBound * trueSize
        }
        // Large parts are worth as much as a plate without empty room; the form of the window
        // decides between plates that are nearly alike.
        let cost = { (layout: PlateLayout) -> Double in
            let scale = min(width / layout.width, height / layout.height) / trueSize
            let shown = min(scale, scales.upperBound)
            let unlike = layout.width * height / (layout.height * width)
            return layout.cost / (shown * shown)
                * (1 + max(unlike, 1 / unlike) / 12)
        }
        return fits.min { cost($0) < cost($1) }
    }

    /// A plate as wide as the window, or a little less where that leaves less of it empty.
    private static func scrolled(
        _ layouts: inout FaceLayouts, _ scale: Double, _ width: Double, _ least: Double
    ) -> (scale: Double, face: Face) {
        let most = max(
            least, min(FaceLayout.widths.upperBound, FaceLayout.down(width / scale)))
        var best = layouts.trimmed(most)
        let cost = { (layout: PlateLayout) in
            layout.cost * (1 + (most - layout.width) / most)
        }
        for step in 1...narrower where most - Double(step) * FaceLayout.grid >= least {
            let layout = layouts.trimmed(most - Double(step) * FaceLayout.grid)
            if cost(layout) < cost(best) { best = layout }
        }
        let face = best.face(width: best.width)
        return (min(width / face.width, scales.upperBound * trueSize), face)
    }

    /// How many plates are tried that are narrower than the window.
    private static let narrower = 12

    /// The lower edge of the first groups, in millimetres.
    private static func firstGroupsEnd(_ face: Face) -> Double {
        face.groups.prefix(firstGroups).map(\.area.bottom).max() ?? 0
    }

    private static func scale(of face: Face, _ width: Double, _ height: Double) -> Double {
        let fit = min(width / face.width, max(height / face.height, scales.lowerBound * trueSize))
        return min(fit, scales.upperBound * trueSize)
    }
}

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
    /// - Throws: `FaceError.empty` where the panel has no control. Controls without hardware have
    ///   their place here, though no template has a hole for them.
    public init(_ plan: PanelPlan, width: Double, height: Double) throws(FaceError) {
        let least = try FaceLayout.leastWidth(of: plan).millimeters
        if let fixed = plan.plateMillimeters, fixed >= least,
            fixed * Self.trueSize * Self.scales.lowerBound <= width
        {
            face = FaceLayout.arrange(plan, width: fixed).face(width: fixed)
            scale = Self.scale(of: face, width, height)
            return
        }
        var layouts = FaceLayout.Layouts(plan)
        let plate = { (scale: Double) in
            max(least, min(FaceLayout.widths.upperBound, (width / scale / 5).rounded(.down) * 5))
        }
        for step in 0...Self.steps where width > Self.phone {
            let part = Double(step) / Double(Self.steps)
            let times =
                Self.scales.upperBound - part * (Self.scales.upperBound - Self.scales.lowerBound)
            let scale = times * Self.trueSize
            guard least * scale <= width else { continue }
            guard layouts.arranged(plate(scale)).height * scale <= height else {
                continue
            }
            let layout = layouts.trimmed(plate(scale))
            if layout.height * scale <= height {
                face = layout.face(width: layout.width)
                self.scale = Self.scale(of: face, width, height)
                return
            }
        }
        // Columns of groups fill the width; a window narrower than a control shrinks it.
        let scrolled = { (scale: Double) -> (scale: Double, face: Face) in
            let layout = layouts.trimmed(plate(scale))
            let face = layout.face(width: layout.width)
            return (min(width / face.width, Self.scales.upperBound * Self.trueSize), face)
        }
        var chosen = scrolled(min(Self.trueSize, width / least))
        for step in 0...Self.steps where width > Self.phone {
            let part = Double(step) / Double(Self.steps)
            let scale = Self.trueSize * (1 - part * (1 - Self.scales.lowerBound))
            guard least * scale <= width else { continue }
            let tried = scrolled(scale)
            if Self.firstGroupsEnd(tried.face) * tried.scale <= height {
                chosen = tried
                break
            }
        }
        (scale, face) = chosen
    }

    /// The lower edge of the first groups, in millimetres.
    private static func firstGroupsEnd(_ face: Face) -> Double {
        face.groups.prefix(firstGroups).map(\.area.bottom).max() ?? 0
    }

    private static func scale(of face: Face, _ width: Double, _ height: Double) -> Double {
        let fit = min(width / face.width, max(height / face.height, scales.lowerBound * trueSize))
        return min(fit, scales.upperBound * trueSize)
    }
}

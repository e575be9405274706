public import DetentTypes
import DetentWorld

/// Every bound of the bounce meter and of the classifier of parts.
public enum BenchLimits {
    /// Changes that a bounce meter keeps; it stops at the last. More would not change the result.
    public static let changes = 10_000

    /// Times between the edges of one change that a bounce meter keeps; later ones only count. The
    /// simulator makes no more either.
    public static let widths = WorldLimits.pulses * 2

    /// Changes in each direction that are played to compare a profile with its recording.
    public static let played = 2_000

    /// Edges of one gesture that the classifier keeps; later ones are ignored. A knob with bad
    /// contacts makes about 50 edges for each detent.
    public static let edges = 100_000

    /// Lines of one gesture; with more, the part is unclear.
    public static let lines = 24

    /// The pause that separates two changes of a contact. Longer than any bounce of a usable
    /// contact, and shorter than a quick press.
    public static let quiet = TimeSpan.milliseconds(40)

    /// How long the samples of an analog channel are looked at, to tell its noise from a turn.
    public static let noiseWindow = TimeSpan.milliseconds(500)

    /// Samples that an analog part must move to be told from noise: a sixteenth of the way at a
    /// converter of 10 bits.
    public static let analogMove: Int64 = 64

    /// The pause that ends a gesture of `detent identify`.
    public static let gestureEnd = TimeSpan.milliseconds(1_200)
}

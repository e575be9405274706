import CPlatform

/// What the kernel knows of a screen of dots, such as `/dev/fb1`.
public struct Framebuffer: Equatable, Sendable {
    /// Dots in a line.
    public var width: Int
    /// Lines of dots.
    public var height: Int
    /// Bits for a dot: 1, 8, 16, 24 or 32.
    public var bits: Int
    /// Bytes from a line to the next.
    public var lineBytes: Int
    /// The line of the memory that is shown at the top.
    public var firstLine: Int
    /// The value of a lit dot; with one bit for a dot, 1, or 0 where that is the lit one.
    public var lit: UInt32

    /// Describes a screen.
    public init(
        width: Int, height: Int, bits: Int, lineBytes: Int, firstLine: Int = 0, lit: UInt32
    ) {
        self.width = width
        self.height = height
        self.bits = bits
        self.lineBytes = lineBytes
        self.firstLine = firstLine
        self.lit = lit
    }

    /// Asks the kernel.
    ///
    /// - Returns: nil if the descriptor is not a screen whose dots follow each other in memory; the
    ///   reason is in `errno`, or 0 for a screen of another sort.
    public static func describe(_ descriptor: Int32) -> Framebuffer? {
        var found = detent_framebuffer()
        guard detent_framebuffer_describe(descriptor, &found) == 0 else { return nil }
        guard found.is_packed, [1, 8, 16, 24, 32].contains(found.bits) else { return nil }
        return Framebuffer(
            width: Int(found.width), height: Int(found.height), bits: Int(found.bits),
            lineBytes: Int(found.line_bytes), firstLine: Int(found.first_line),
            lit: found.bits == 1 ? (found.is_inverted ? 0 : 1) : found.lit)
    }
}

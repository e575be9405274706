/// The lower edge of what was placed so far: finds the highest place where a box fits.
struct Skyline {
    /// Pieces of the edge from left to right, without a gap.
    private var pieces: [(x: Double, width: Double, y: Double)]

    init(width: Double, top: Double) {
        pieces = [(0, width, top)]
    }

    /// Takes the highest place for a box, then the one farthest left; quadratic in the number of
    /// boxes.
    ///
    /// - Parameter width: at most that of the whole.
    mutating func place(width: Double, height: Double, gap: Double) -> (x: Double, y: Double) {
        var best: (x: Double, y: Double)?
        for piece in pieces {
            guard let y = level(from: piece.x, width: width, gap: gap) else { continue }
            if best.map({ y < $0.y }) ?? true { best = (piece.x, y) }
        }
        let place = best ?? (0, pieces.map(\.y).max() ?? 0)
        raise(from: place.x, width: width + gap, to: place.y + height + gap)
        return place
    }

    /// The lowest piece under a box that begins at `x`; nil where it does not fit.
    private func level(from x: Double, width: Double, gap: Double) -> Double? {
        let right = (pieces.last?.x ?? 0) + (pieces.last?.width ?? 0)
        guard x + width <= right + 0.001 else { return nil }
        return pieces.filter { $0.x < x + width + gap && x < $0.x + $0.width }.map(\.y).max()
    }

    private mutating func raise(from x: Double, width: Double, to y: Double) {
        var next: [(x: Double, width: Double, y: Double)] = []
        let end = min(x + width, (pieces.last?.x ?? 0) + (pieces.last?.width ?? 0))
        for piece in pieces {
            if piece.x < x {
                next.append((piece.x, min(piece.width, x - piece.x), piece.y))
            }
            if piece.x <= x, x < piece.x + piece.width { next.append((x, end - x, y)) }
            let right = piece.x + piece.width
            if right > end { next.append((max(piece.x, end), right - max(piece.x, end), piece.y)) }
        }
        pieces = next
    }
}

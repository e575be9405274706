public import DetentTypes

/// Guesses what part made the edges of one gesture: a switch, a button, a knob or a selector.
///
/// The user presses, flips or turns one part, a knob clockwise, and waits. Bounce needs no
/// settings: quadrature is counted edge by edge, where a bounce cancels itself, and positions are
/// the states in which all lines rest.
public struct PartClassifier: Equatable, Sendable {
    /// A part, and the electrical level of its closed contacts.
    public struct Result: Equatable, Sendable {
        /// What the part is.
        public var guess: PartGuess
        /// Whether a closed contact is low.
        public var isActiveLow: Bool
        /// Whether the edges prove that level. A lever shows both levels, so its level is assumed.
        public var isLevelProved: Bool

        /// Makes a result; without a level for a part that has none.
        public init(guess: PartGuess, isActiveLow: Bool = false, isLevelProved: Bool = false) {
            self.guess = guess
            self.isActiveLow = isActiveLow
            self.isLevelProved = isLevelProved
        }
    }

    private let initial: [Bool]
    private let assumesActiveLow: Bool
    private var levels: [Bool]
    private var edges: [LineEdge] = []

    /// Begins before a gesture.
    ///
    /// - Parameters:
    ///   - levels: the electrical level of each line.
    ///   - isPulledUp: whether the lines have pull-ups, so that a closed contact is probably low.
    public init(levels: [Bool], isPulledUp: Bool = true) {
        initial = levels
        self.levels = levels
        assumesActiveLow = isPulledUp
    }

    /// The time of the last edge; nil before the first.
    public var lastEdge: Instant? { edges.last?.at }

    /// Takes an edge; edges must be in order of time.
    public mutating func take(_ edge: LineEdge) {
        guard levels.indices.contains(edge.line), levels[edge.line] != edge.isHigh,
            edges.count < BenchLimits.edges
        else { return }
        levels[edge.line] = edge.isHigh
        edges.append(edge)
    }

    /// The part; nil if no line changed.
    public func result() -> Result? {
        var lines: [Int] = []
        for edge in edges where !lines.contains(edge.line) { lines.append(edge.line) }
        guard !lines.isEmpty else { return nil }
        guard lines.count <= BenchLimits.lines else {
            return Result(
                guess: .unclear(lines, .tooMany), isActiveLow: assumesActiveLow,
                isLevelProved: false)
        }
        if lines.count == 1 { return single(lines[0]) }
        let walk = lines.count == 2 ? QuadratureWalk(lines, initial, edges) : nil
        if let walk, walk.isEncoder { return encoder(lines, walk) }
        return positions(lines)
    }

    private func single(_ line: Int) -> Result {
        let returned = initial[line] == levels[line]
        guard returned else {
            return Result(
                guess: .lever(line), isActiveLow: assumesActiveLow, isLevelProved: false)
        }
        let length = (edges.last?.at ?? .zero) - (edges.first?.at ?? .zero)
        let guess: PartGuess =
            length < Self.shortestPress ? .unclear([line], .noise) : .button(line)
        return Result(guess: guess, isActiveLow: initial[line], isLevelProved: true)
    }

    private func encoder(_ lines: [Int], _ walk: QuadratureWalk) -> Result {
        let isForward = walk.extent >= 0
        let (a, b) = isForward ? (lines[0], lines[1]) : (lines[1], lines[0])
        func closed(_ line: Int) -> UInt8 { levels[line] == assumesActiveLow ? 0 : 1 }
        return Result(
            guess: .encoder(
                a: a, b: b, transitions: walk.transitions, rest: closed(a) << 1 | closed(b)),
            isActiveLow: assumesActiveLow, isLevelProved: false)
    }

    // MARK: Positions

    /// The states in which all lines rested, as sets of lines that are high.
    private func restStates() -> [Set<Int>] {
        var now = initial
        func high() -> Set<Int> { Set(now.indices.filter { now[$0] }) }
        var states = [high()]
        for (place, edge) in edges.enumerated() {
            now[edge.line] = edge.isHigh
            let isLast = place + 1 == edges.count
            if isLast || edges[place + 1].at - edge.at >= Self.rest, states.last != high() {
                states.append(high())
            }
        }
        return states
    }

    private func positions(_ lines: [Int]) -> Result {
        let used = Set(lines)
        let high = restStates().map { $0.intersection(used) }
        let (isActiveLow, isProved) = polarity(high, lines.count)
        let states = high.map { isActiveLow ? used.subtracting($0) : $0 }
        func result(_ guess: PartGuess) -> Result {
            Result(guess: guess, isActiveLow: isActiveLow, isLevelProved: isProved)
        }
        // Two contacts that rest closed together, or never rest closed: a detent of an encoder.
        if lines.count == 2, states.contains(used) || states.allSatisfy(\.isEmpty) {
            return result(.unclear(lines, .tooShort))
        }
        guard states.allSatisfy({ $0.count <= 1 }) else { return result(coded(lines, states)) }
        let closed = states.map(\.first)
        let hasNone = closed.contains(nil)
        let isEachAlone = zip(closed, closed.dropFirst()).allSatisfy { $0 == nil || $1 == nil }
        var order: [Int] = []
        for case let line? in closed where !order.contains(line) { order.append(line) }
        // A line that never rested closed was passed quickly.
        order += lines.filter { !order.contains($0) }
        if closed.first == .some(nil), closed.last == .some(nil), isEachAlone {
            return result(.buttons(order))
        }
        if lines.count == 2 {
            return result(
                hasNone
                    ? .threeWay(down: order[0], up: order[1])
                    : .changeover(on: order[1], off: order[0]))
        }
        return result(.selector(order, hasNone: hasNone))
    }

    /// The level of closed contacts: of three or more contacts, most are open at rest.
    private func polarity(_ high: [Set<Int>], _ count: Int) -> (isActiveLow: Bool, isProved: Bool) {
        guard count >= 3 else { return (assumesActiveLow, false) }
        if high.allSatisfy({ $0.count <= 1 }) { return (false, true) }
        if high.allSatisfy({ $0.count >= count - 1 }) { return (true, true) }
        return (assumesActiveLow, false)
    }

    /// The lowest bit changes most often. In a Gray code, each step changes one bit.
    private func coded(_ lines: [Int], _ states: [Set<Int>]) -> PartGuess {
        var changes: [Int: Int] = [:]
        var isGray = true
        for (from, to) in zip(states, states.dropFirst()) {
            let changed = from.symmetricDifference(to)
            if changed.count != 1 { isGray = false }
            for line in changed { changes[line, default: 0] += 1 }
        }
        let order = lines.sorted { one, other in
            let counts = (changes[one, default: 0], changes[other, default: 0])
            return counts.0 == counts.1 ? one < other : counts.0 > counts.1
        }
        return .coded(order, isGray: isGray)
    }

    /// A finger that presses a button needs at least 20 ms; a bounce or a spark is shorter.
    private static let shortestPress = TimeSpan.milliseconds(15)
    /// A state that lasts this long is a position. Between two positions of a selector, contacts
    /// change within about 10 ms; a bounce has pauses of at most 6 ms.
    static let rest = TimeSpan.milliseconds(30)
}

/// The quarter turns of two contacts, counted edge by edge.
struct QuadratureWalk {
    /// How far the walk reached from its start: the larger of both directions, with its sign.
    private(set) var extent = 0
    /// Transitions from one detent to the next.
    private(set) var transitions = 4
    private var visited: Set<Int> = []
    private var rests: Set<Int> = []

    /// Quarter turns of the pair A, B: A changes first.
    private static let order = [0b00, 0b10, 0b11, 0b01]

    init(_ lines: [Int], _ levels: [Bool], _ edges: [LineEdge]) {
        var state = (levels[lines[0]] ? 2 : 0) | (levels[lines[1]] ? 1 : 0)
        visited = [state]
        rests = [state]
        var place = 0
        var (least, most) = (0, 0)
        var stops = [0]
        for (index, edge) in edges.enumerated() {
            let bit = edge.line == lines[0] ? 2 : 1
            let next = edge.isHigh ? state | bit : state & ~bit
            let from = Self.order.firstIndex(of: state) ?? 0
            let to = Self.order.firstIndex(of: next) ?? 0
            place += (to - from + 4) % 4 == 1 ? 1 : -1
            state = next
            visited.insert(state)
            least = min(least, place)
            most = max(most, place)
            let isLast = index + 1 == edges.count
            let pause = isLast ? Self.pause : edges[index + 1].at - edge.at
            if pause >= PartClassifier.rest { rests.insert(state) }
            if pause >= Self.pause { stops.append(place) }
        }
        extent = most >= -least ? most : least
        let step = zip(stops, stops.dropFirst()).reduce(0) { Self.divisor($0, abs($1.1 - $1.0)) }
        transitions = step % 4 == 0 ? 4 : step % 2 == 0 ? 2 : 1
    }

    /// Whether only an encoder makes these edges: all four states, far in one direction.
    ///
    /// Two contacts of a switch that bounce at the same time do the same by chance. But a switch
    /// rests with one contact closed, and never with both; an encoder that rests with one closed
    /// also rests with none and with both.
    var isEncoder: Bool {
        let restsSingle = rests.contains(0b01) || rests.contains(0b10)
        let restsEqual = rests.contains(0b00) && rests.contains(0b11)
        return visited.count == 4 && abs(extent) >= 8 && (!restsSingle || restsEqual)
    }

    /// A knob that rests this long is in a detent.
    private static let pause = TimeSpan.milliseconds(100)

    private static func divisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? one : divisor(other, one % other)
    }
}

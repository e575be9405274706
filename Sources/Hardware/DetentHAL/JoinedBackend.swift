public import DetentTypes

/// One backend made of several, each for its lines: those of GPIO chips, and those of other devices
/// of the kernel.
///
/// A panel whose lines are all of one backend needs none of this.
public final class JoinedBackend: GPIOBackend {
    /// A backend with the lines that it takes.
    public struct Member {
        /// The backend.
        public let backend: any GPIOBackend
        /// Whether it takes a line; the first member that does has it.
        public let takes: (LineSettings) -> Bool

        /// Makes a member.
        public init(_ backend: any GPIOBackend, takes: @escaping (LineSettings) -> Bool) {
            self.backend = backend
            self.takes = takes
        }
    }

    private let members: [Member]
    /// The lines of each member.
    private var lines: [[LineSettings]]
    /// The member of each line, by its index in the plan; -1 for other lines.
    private var memberOfLine: [Int8] = []
    /// The first descriptor of each member.
    private var firstDescriptors: [Int] = []
    private var generations: [UInt32] = []
    /// The members that were marked since the last `drain`; the others have nothing.
    private var marks: UInt64 = 0

    /// Descriptors that become readable when `drain` has events.
    public private(set) var descriptors: [Int32] = []
    /// Changes with `descriptors`.
    public private(set) var descriptorGeneration: UInt32 = 0

    /// Joins backends, of which the last takes every line that no other takes.
    public init(_ members: [Member]) {
        self.members = members
        lines = members.map { _ in [] }
    }

    /// The member of a type; nil if there is none.
    public func member<Backend>(_ type: Backend.Type) -> Backend? {
        members.lazy.compactMap { $0.backend as? Backend }.first
    }

    /// Requests all lines, each from its backend.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        index(shares(of: lines), of: lines)
        var errors: [HALError] = []
        for (member, lines) in zip(members, self.lines) { errors += member.backend.open(lines) }
        lookAtDescriptors()
        return errors
    }

    /// Marks a descriptor of its backend as readable.
    public func markReady(_ index: Int) {
        var member = members.count - 1
        while member > 0, firstDescriptors[member] > index { member -= 1 }
        members[member].backend.markReady(index - firstDescriptors[member])
        marks |= 1 << UInt64(member)
    }

    /// The earliest of all.
    public var deadline: Instant {
        var first = Instant.never
        for member in members { first = min(first, member.backend.deadline) }
        return first
    }

    /// Whether every source of an edge stamps it.
    public var stampsEdges: Bool { members.allSatisfy(\.backend.stampsEdges) }

    /// Moves the events of all backends into `buffer`, merged by their stamps.
    ///
    /// Each backend finds room, however many events another has. What one has left over in a flood
    /// comes with the next call, and may then be earlier than events of other lines.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        var filled = 0
        let marks = self.marks
        self.marks = 0
        for (place, member) in members.enumerated()
        where marks == 0 || marks >> UInt64(place) & 1 == 1 || member.backend.deadline <= now {
            let reserved = buffer.count / 8 * (members.count - 1 - place)
            let end = max(filled, buffer.count - reserved)
            let count = member.backend.drain(
                into: UnsafeMutableBufferPointer(rebasing: buffer[filled..<end]), now: now)
            if filled > 0, count > 0 { Self.merge(buffer, from: filled, count: count) }
            filled += count
        }
        lookAtDescriptors()
        return filled
    }

    /// Moves each of the last events before those with later stamps.
    private static func merge(
        _ buffer: UnsafeMutableBufferPointer<LineEvent>, from start: Int, count: Int
    ) {
        for place in start..<(start + count) {
            let event = buffer[place]
            var free = place
            while free > 0, buffer[free - 1].at > event.at {
                buffer[free] = buffer[free - 1]
                free -= 1
            }
            buffer[free] = event
        }
    }

    /// Reads a level, as `GPIOBackend.read` says.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        backend(of: line)?.read(line, now: now)
    }

    /// Drives an output, as `GPIOBackend.write` says.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        backend(of: line)?.write(line, level, now: now)
    }

    /// Drives an output whose moment is not needed.
    public func show(_ line: LineID, _ level: Level, now: Instant) {
        backend(of: line)?.show(line, level, now: now)
    }

    /// Makes an output this strong while it is active.
    public func adjust(_ line: LineID, to strength: Strength, now: Instant) {
        backend(of: line)?.adjust(line, to: strength, now: now)
    }

    /// Changes the lines of every backend, or of none.
    public func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        let before = self.lines
        let shares = shares(of: lines)
        for (place, member) in members.enumerated() {
            let errors = member.backend.change(
                to: shares[place].map { lines[$0] },
                continuing: shares[place].map { former[$0].flatMap { has($0, place) } })
            guard !errors.isEmpty else { continue }
            for earlier in 0..<place {
                // Back to the former lines: each continues the one that continued it.
                let now = Dictionary(
                    shares[earlier].compactMap { index in former[index].map { ($0, index) } },
                    uniquingKeysWith: { first, _ in first })
                _ = members[earlier].backend.change(
                    to: before[earlier],
                    continuing: before[earlier].map { now[$0.line].map { lines[$0].line } })
            }
            lookAtDescriptors()
            return errors
        }
        index(shares, of: lines)
        lookAtDescriptors()
        return []
    }

    /// Writes every output's release level, then releases all lines.
    public func close() {
        for member in members { member.backend.close() }
        lines = members.map { _ in [] }
        memberOfLine = []
        lookAtDescriptors()
    }

    private func backend(of line: LineID) -> (any GPIOBackend)? {
        let index = Int(line.index)
        guard index < memberOfLine.count, memberOfLine[index] >= 0 else { return nil }
        return members[Int(memberOfLine[index])].backend
    }

    private func has(_ line: LineID, _ member: Int) -> LineID? {
        let index = Int(line.index)
        return index < memberOfLine.count && memberOfLine[index] == Int8(member) ? line : nil
    }

    /// The indices of the lines of each member.
    private func shares(of lines: [LineSettings]) -> [[Int]] {
        var shares: [[Int]] = members.map { _ in [] }
        for (index, settings) in lines.enumerated() {
            let member = members.firstIndex { $0.takes(settings) } ?? members.count - 1
            shares[member].append(index)
        }
        return shares
    }

    private func index(_ shares: [[Int]], of lines: [LineSettings]) {
        self.lines = shares.map { $0.map { lines[$0] } }
        let count = self.lines.joined().reduce(0) { max($0, Int($1.line.index) + 1) }
        memberOfLine = Array(repeating: -1, count: count)
        for (member, lines) in self.lines.enumerated() {
            for settings in lines { memberOfLine[Int(settings.line.index)] = Int8(member) }
        }
    }

    private func lookAtDescriptors() {
        var isSame = generations.count == members.count
        for (place, member) in members.enumerated() where isSame {
            isSame = generations[place] == member.backend.descriptorGeneration
        }
        if isSame { return }
        generations = members.map(\.backend.descriptorGeneration)
        firstDescriptors = []
        descriptors = []
        for member in members {
            firstDescriptors.append(descriptors.count)
            descriptors += member.backend.descriptors
        }
        descriptorGeneration &+= 1
    }
}

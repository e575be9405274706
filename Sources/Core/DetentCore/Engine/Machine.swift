import DetentTypes

/// A part of the engine that waits for a moment of its own.
enum Machine: BitwiseCopyable {
    case line(LineIndex)
    case decoder(ControlIndex)
    /// What a control does about its value or its events, and its start.
    case value(ControlIndex)
    case indicator(ControlIndex)
    case interlock(ControlIndex)
    case relations(RelationIndex)
}

/// Numbers the machines in the heap of deadlines.
///
/// The lower number comes first at one instant: lines, decoders, values, indicators, interlocks,
/// relations.
struct MachineNumbers: BitwiseCopyable {
    private let firstDecoder: Int
    private let firstValue: Int
    private let firstIndicator: Int
    private let firstInterlock: Int
    private let firstRelations: Int
    let count: Int

    init(_ capacity: Capacity) {
        firstDecoder = capacity.lines
        firstValue = firstDecoder &+ capacity.controls
        firstIndicator = firstValue &+ capacity.controls
        firstInterlock = firstIndicator &+ capacity.controls
        firstRelations = firstInterlock &+ capacity.controls
        count = firstRelations &+ capacity.relations
    }

    @inline(__always)
    func number(of machine: Machine) -> Int {
        switch machine {
        case .line(let line): line.offset
        case .decoder(let control): firstDecoder &+ control.offset
        case .value(let control): firstValue &+ control.offset
        case .indicator(let control): firstIndicator &+ control.offset
        case .interlock(let control): firstInterlock &+ control.offset
        case .relations(let relation): firstRelations &+ relation.offset
        }
    }

    @inline(__always)
    func machine(_ number: Int) -> Machine {
        if number < firstDecoder { return .line(LineIndex(offset: number)) }
        if number < firstValue {
            return .decoder(ControlIndex(offset: number &- firstDecoder))
        }
        if number < firstIndicator {
            return .value(ControlIndex(offset: number &- firstValue))
        }
        if number < firstInterlock {
            return .indicator(ControlIndex(offset: number &- firstIndicator))
        }
        if number < firstRelations {
            return .interlock(ControlIndex(offset: number &- firstInterlock))
        }
        return .relations(RelationIndex(offset: number &- firstRelations))
    }
}

import DetentTypes

/// An index of a table. Each table of the engine has a type of index of its own, so that a control
/// and a relation cannot be swapped.
protocol TableIndex: BitwiseCopyable {
    /// Where the element is in its table, from 0.
    var offset: Int { get }
    init(offset: Int)
}

/// A line in the table of lines.
struct LineIndex: TableIndex {
    let offset: Int

    @inline(__always)
    init(offset: Int) { self.offset = offset }

    /// The index that a plan names. It may be past the end of the table.
    @inline(__always)
    init(_ index: UInt16) { offset = Int(index) }

    /// The name of the line outside the engine.
    @inline(__always)
    var id: LineID { LineID(UInt16(truncatingIfNeeded: offset)) }
}

/// A control in the tables of controls and their settings.
struct ControlIndex: TableIndex, Equatable {
    let offset: Int

    /// The index that a plan names. It may be past the end of the table.
    @inline(__always)
    init(_ index: UInt16) { offset = Int(index) }

    @inline(__always)
    init(offset: Int) { self.offset = offset }

    /// The control that a name means; it need not exist.
    @inline(__always)
    init(_ id: ControlID) { offset = Int(id.index) }

    /// The name of the control outside the engine.
    @inline(__always)
    var id: ControlID { ControlID(UInt16(truncatingIfNeeded: offset)) }
}

/// The relations of one control in the tables of relations and their settings.
struct RelationIndex: TableIndex, Equatable {
    let offset: Int

    @inline(__always)
    init(offset: Int) { self.offset = offset }

    /// The index that a plan names. It may be past the end of the table.
    @inline(__always)
    init(_ index: UInt16) { offset = Int(index) }
}

extension ActionID: TableIndex {
    @inline(__always)
    var offset: Int { Int(index) }

    @inline(__always)
    init(offset: Int) { self.init(UInt16(truncatingIfNeeded: offset)) }
}

/// Entries of lists that relations and actions share: links, conditions, steps and items.
extension Int: TableIndex {
    var offset: Int { self }

    init(offset: Int) { self = offset }
}

/// The indices of a table, in order.
struct TableIndices<Index: TableIndex>: Sequence, IteratorProtocol {
    private var offset = 0
    private let end: Int

    init(end: Int) { self.end = end }

    mutating func next() -> Index? {
        guard offset < end else { return nil }
        defer { offset &+= 1 }
        return Index(offset: offset)
    }
}

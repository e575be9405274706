/// A row of plain structs at a fixed address, with the engine's one bounds check.
///
/// The memory belongs to the owner of the engine. Elements are reached in place: nothing is copied
/// to change one field.
struct Table<Index: TableIndex, Element: BitwiseCopyable> {
    private let base: UnsafeMutablePointer<Element>
    private(set) var count: Int
    let capacity: Int

    init(capacity: Int, arena: inout Arena) {
        self.base = arena.allocate(Element.self, count: capacity)
        self.count = 0
        self.capacity = capacity
    }

    subscript(index: Index) -> Element {
        unsafeAddress {
            precondition(UInt(bitPattern: index.offset) < UInt(bitPattern: count))
            return UnsafePointer(base + index.offset)
        }
        nonmutating unsafeMutableAddress {
            precondition(UInt(bitPattern: index.offset) < UInt(bitPattern: count))
            return base + index.offset
        }
    }

    /// The indices of all elements, in order.
    var indices: TableIndices<Index> { TableIndices(end: count) }

    /// Whether the table has an element at an index.
    @inline(__always)
    func contains(_ index: Index) -> Bool { index.offset < count }

    /// Adds an element; false where the table is full.
    mutating func append(_ element: Element) -> Bool {
        guard count < capacity else { return false }
        (base + count).initialize(to: element)
        count &+= 1
        return true
    }
}

/// Hands out one buffer piece by piece, each piece aligned.
struct Arena {
    private var next: UnsafeMutableRawPointer
    private let end: UnsafeMutableRawPointer

    init(_ buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.baseAddress != nil, "an engine needs a buffer")
        next = buffer.baseAddress.unsafelyUnwrapped
        end = next + buffer.count
    }

    mutating func allocate<Element>(
        _ type: Element.Type, count: Int
    ) -> UnsafeMutablePointer<Element> {
        let start = next.alignedUp(for: type)
        let size = count &* MemoryLayout<Element>.stride
        precondition(start + size <= end, "the buffer is smaller than Engine.byteCount says")
        next = start + size
        return start.bindMemory(to: type, capacity: count)
    }

    /// Bytes that `take` needs at most, whatever came before.
    static func byteCount<Element>(of type: Element.Type, count: Int) -> Int {
        count &* MemoryLayout<Element>.stride &+ MemoryLayout<Element>.alignment
    }
}

/// A bounded queue whose memory is allocated once.
struct Ring<Element> {
    private var elements: [Element?]
    private var start = 0
    private var count = 0

    init(capacity: Int) {
        elements = Array(repeating: nil, count: capacity)
    }

    /// Elements that can still be appended.
    var room: Int { elements.count - count }

    /// Appends an element; false if there is no room.
    mutating func append(_ element: Element) -> Bool {
        guard count < elements.count else { return false }
        elements[(start + count) % elements.count] = element
        count += 1
        return true
    }

    /// Removes the oldest element.
    mutating func removeFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = elements[start]
        elements[start] = nil
        start = (start + 1) % elements.count
        count -= 1
        return element
    }
}

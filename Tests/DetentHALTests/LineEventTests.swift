import DetentHAL
import DetentTypes
import Testing

@Suite struct LineEventTests {
    /// Events are copied for every edge: they must stay small and plain.
    @Test func isSmall() {
        #expect(MemoryLayout<LineEvent>.stride <= 32)
    }
}

/// FNV-1a with 64 bits: a number for bytes that detects accidents, not attacks.
public enum FNV1a {
    /// The number of some bytes. Takes time in proportion to them.
    public static func sum(_ bytes: some Sequence<UInt8>) -> UInt64 {
        // Offset basis and prime of the algorithm, draft-eastlake-fnv.
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

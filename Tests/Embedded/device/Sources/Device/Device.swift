import CArena

/// The one thing that is asked of the machine outside: take a byte of the log.
@_extern(wasm, module: "env", name: "put")
@_extern(c)
func put(_ byte: UInt32)

/// Runs the script and returns the number of effects.
@c public func detent_script(_ seed: UInt32, _ events: UInt32) -> UInt32 {
    let arena = UnsafeMutableRawBufferPointer(start: arena_base(), count: Int(ARENA_SIZE))
    return Script.run(seed: UInt64(seed), events: events, arena: arena) { put(UInt32($0)) }
}

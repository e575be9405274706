import CArena
import DetentCore
import DetentTypes

/// The one thing that is asked of the machine outside: take a byte of the log.
@_extern(wasm, module: "env", name: "put")
@_extern(c)
func put(_ byte: UInt32)

private func log(_ byte: UInt8) { put(UInt32(byte)) }

private var arena: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: arena_base(), count: Int(ARENA_SIZE))
}

/// Bytes that the outside wrote for the next call, from `start` on.
private func inbox(_ start: UInt32, _ count: UInt32) -> UnsafeRawBufferPointer {
    let room = UInt32(INBOX_SIZE)
    let first = min(start, room)
    return UnsafeRawBufferPointer(
        start: inbox_base() + Int(first), count: Int(min(count, room &- first)))
}

/// Runs the random script and returns the number of effects.
@c public func detent_script(_ seed: UInt32, _ events: UInt32) -> UInt32 {
    Script.run(seed: UInt64(seed), events: events, arena: arena, put: log)
}

/// Where the outside writes panels, scripts and inputs.
@c public func detent_inbox() -> UnsafeMutableRawPointer { inbox_base() }

/// Bytes of the engine for the panel in the inbox; 0 if there is none.
@c public func detent_engine_bytes(_ panel: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: PanelPlayer.byteCount(of: inbox(0, panel)))
}

/// Plays a recorded run: the panel in the inbox, and the script behind it.
@c public func detent_play(_ panel: UInt32, _ script: UInt32) -> UInt32 {
    PanelPlayer.play(
        inbox(0, panel), inbox(panel, script), arena: arena, wait: { _ in }, put: log
    ).rawValue
}

// MARK: One panel that lives on between calls, for the gallery

/// The engine is at the beginning of the arena, its tables behind it.
private var engine: UnsafeMutablePointer<Engine> {
    arena_base().assumingMemoryBound(to: Engine.self)
}

/// Makes the engine of the panel in the inbox; false if it does not fit, or is damaged.
@c public func detent_open(_ panel: UInt32) -> Bool {
    let image = inbox(0, panel)
    let head = (MemoryLayout<Engine>.size &+ 15) & ~15
    guard let capacity = PanelImage.capacity(of: image),
        arena.count >= head &+ Engine.byteCount(for: capacity)
    else { return false }
    let storage = UnsafeMutableRawBufferPointer(rebasing: arena[head...])
    engine.initialize(to: Engine(capacity: capacity, storage: storage))
    return PanelImage.fill(&engine.pointee, from: image)
}

/// Gives the inputs in the inbox to the engine; false if they are damaged.
@c public func detent_handle(_ count: UInt32) -> Bool {
    var inputs = ScriptImage(inbox(0, count))
    while let (input, at) = inputs.next() {
        guard case .event(let event) = input else { return false }
        PanelPlayer.handle(event, at: at, by: &engine.pointee, log)
    }
    return inputs.isWhole
}

/// The next moment at which `detent_handle` is due although nothing happens.
@c public func detent_deadline() -> UInt64 { engine.pointee.nextDeadline.nanoseconds }

/// Writes the state of a control into the inbox, as words of 32 bits; false if there is none.
@c public func detent_look(_ control: UInt32) -> Bool {
    let id = ControlID(UInt16(truncatingIfNeeded: control))
    guard let it = engine.pointee.snapshot(of: id) else { return false }
    let words: InlineArray<14, UInt32> = [
        UInt32(bitPattern: it.desired.raw), UInt32(bitPattern: it.actual.raw),
        UInt32(bitPattern: it.position.raw), it.closedContacts, UInt32(it.phase.rawValue),
        UInt32(it.flags.rawValue), UInt32(it.pattern.rawValue), it.isLit ? 1 : 0, it.lamps,
        it.outputs, it.lost, UInt32(bitPattern: it.staged.raw),
        UInt32(bitPattern: it.focus.raw), UInt32(it.progress),
    ]
    let room = inbox_base().assumingMemoryBound(to: UInt32.self)
    for place in words.indices { room[place] = words[place] }
    return true
}

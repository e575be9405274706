import DetentCore
import DetentTypes
import Machine

/// Plays the script that was linked in, at its own pace: each input and each deadline waits until
/// SysTick has reached it. The log goes out over the serial line.
@c public func firmware() -> UInt32 {
    let panel = bytes(from: machine_panel_start(), to: machine_panel_end())
    let script = bytes(from: machine_script_start(), to: machine_script_end())
    let arena = UnsafeMutableRawBufferPointer(
        start: machine_arena_start(), count: Int(machine_arena_size))
    var sleeps: UInt32 = 0
    let outcome = PanelPlayer.play(
        panel, script, arena: arena,
        wait: { moment in
            while machine_clock() < moment.nanoseconds {
                machine_sleep()
                sleeps &+= 1
            }
        }, put: machine_put)
    tell("engine", UInt32(truncatingIfNeeded: PanelPlayer.byteCount(of: panel)))
    tell("stack", machine_stack())
    tell("sleeps", sleeps)
    return outcome.rawValue
}

private func bytes(
    from start: UnsafeRawPointer, to end: UnsafeRawPointer
) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: end - start)
}

private func tell(_ name: StaticString, _ number: UInt32) {
    name.withUTF8Buffer { text in
        text.baseAddress?.withMemoryRebound(to: CChar.self, capacity: text.count) {
            machine_tell($0, number)
        }
    }
}

import CArena
import Glibc

// The same script on Linux: the log on standard output, counts on standard error.
// `Host SEED EVENTS` exits 1 where the script allocates, and where the counter is blind.

func tell(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let seed = UInt32(arguments[1]), let events = UInt32(arguments[2])
else {
    tell("usage: Host SEED EVENTS\n")
    exit(2)
}
let arena = UnsafeMutableRawBufferPointer(start: arena_base(), count: Int(ARENA_SIZE))
let room = 64 << 20
let log = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
var length = 0

let before = allocation_count()
let effects = Script.run(seed: UInt64(seed), events: events, arena: arena) { byte in
    if length < room { log[length] = byte }
    length += 1
}
let allocations = allocation_count() - before

let canaryBefore = allocation_count()
var canary: [UInt8] = []
for byte in 0..<UInt8(effects % 200) { canary.append(byte) }
let isBlind = allocation_count() == canaryBefore && effects % 200 != 0

guard length <= room else {
    tell("the log has \(length) bytes, more than the room of \(room)\n")
    exit(1)
}
var written = 0
while written < length {
    let count = write(1, log + written, length - written)
    guard count > 0 else {
        tell("the log could not be written\n")
        exit(1)
    }
    written += count
}
tell("events \(events), effects \(effects), allocations \(allocations)\n")
if isBlind || canary.count != Int(effects % 200) {
    tell("the counter of allocations saw none where there was one\n")
    exit(1)
}
exit(allocations == 0 && effects != 0 ? 0 : 1)

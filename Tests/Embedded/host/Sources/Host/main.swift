// The same core on Linux: the log on standard output, counts on standard error.
//
//     Host SEED EVENTS         the random script
//     Host PANEL SCRIPT        a recorded run of a compiled panel
//
// Exits 1 where the run allocates, where something is damaged, and where the counter of
// allocations is blind.

import CArena
import Glibc

func tell(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

func bytes(of path: String) -> UnsafeRawBufferPointer {
    let descriptor = open(path, O_RDONLY)
    var about = stat()
    guard descriptor >= 0, fstat(descriptor, &about) == 0, about.st_size > 0,
        let mapped = mmap(nil, Int(about.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
        mapped != MAP_FAILED
    else {
        tell("\(path) cannot be read\n")
        exit(1)
    }
    close(descriptor)
    return UnsafeRawBufferPointer(start: mapped, count: Int(about.st_size))
}

/// The log, in a room that is taken before anything is counted.
struct Log {
    static let room = 64 << 20
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Log.room)
    var length = 0

    mutating func put(_ byte: UInt8) {
        if length < Log.room { bytes[length] = byte }
        length += 1
    }

    func write() {
        guard length <= Log.room else {
            tell("the log has \(length) bytes, more than the room of \(Log.room)\n")
            exit(1)
        }
        var written = 0
        while written < length {
            let count = Glibc.write(1, bytes + written, length - written)
            guard count > 0 else {
                tell("the log could not be written\n")
                exit(1)
            }
            written += count
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    tell("usage: Host SEED EVENTS | Host PANEL SCRIPT\n")
    exit(2)
}
let arena = UnsafeMutableRawBufferPointer(start: arena_base(), count: Int(ARENA_SIZE))
var log = Log()
let said: String
let isWhole: Bool
let allocations: UInt
if let seed = UInt32(arguments[1]), let events = UInt32(arguments[2]) {
    let before = allocation_count()
    let effects = Script.run(seed: UInt64(seed), events: events, arena: arena) { log.put($0) }
    allocations = allocation_count() - before
    isWhole = effects != 0
    said = "events \(events), effects \(effects)"
} else {
    let (panel, script) = (bytes(of: arguments[1]), bytes(of: arguments[2]))
    let before = allocation_count()
    let outcome = PanelPlayer.play(panel, script, arena: arena, wait: { _ in }) { log.put($0) }
    allocations = allocation_count() - before
    isWhole = outcome == .played
    said = "outcome \(outcome), engine \(PanelPlayer.byteCount(of: panel)) bytes"
}

let canaryBefore = allocation_count()
var canary: [Int] = []
for number in 0..<(log.length % 200 + 1) { canary.append(number) }
let isBlind = allocation_count() == canaryBefore

log.write()
tell("\(said), allocations \(allocations)\n")
if isBlind || canary.count != log.length % 200 + 1 {
    tell("the counter of allocations saw none where there was one\n")
    exit(1)
}
exit(allocations == 0 && isWhole ? 0 : 1)

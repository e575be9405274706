// Measures edge to lamp of a panel without clients, and of the same panel with pages that receive
// everything: `pages CONTROLS EDGES-A-SECOND PAGES ROUNDS SECONDS`.
//
// The loop is that of `detent run`. The pages are connections of another process (`pages follow URL
// COUNT`), which reads all data and discards it. Both share the processors.
import DetentClient
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentServer
import DetentTypes
import Glibc
import Synchronization

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "follow", let count = Int(arguments[3]) {
    try follow(arguments[2], count)
} else if arguments.count == 6 {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    guard numbers.count == 5 else { exit(2) }
    try measure(
        controls: numbers[0], rate: numbers[1], pages: numbers[2], rounds: numbers[3],
        seconds: numbers[4])
} else {
    exit(2)
}

/// Follows a panel over many connections until standard input ends, and prints how much arrived.
func follow(_ url: String, _ count: Int) throws {
    let bytes = Atomic<Int>(0)
    let messages = Atomic<Int>(0)
    let snapshots = Atomic<Int>(0)
    let address = try DaemonAddress(url)
    for _ in 0..<count {
        _ = try WorkerThread(named: "page") {
            try? DaemonClient(address).stream("/api/v1/events") { message in
                bytes.wrappingAdd(message.count, ordering: .relaxed)
                messages.wrappingAdd(1, ordering: .relaxed)
                if message.starts(with: "{\"type\": \"snapshot\"".utf8) {
                    snapshots.wrappingAdd(1, ordering: .relaxed)
                }
                return true
            }
        }
    }
    var letter: UInt8 = 0
    while read(STDIN_FILENO, &letter, 1) > 0 {}
    print(
        messages.load(ordering: .relaxed), bytes.load(ordering: .relaxed),
        snapshots.load(ordering: .relaxed))
    exit(0)
}

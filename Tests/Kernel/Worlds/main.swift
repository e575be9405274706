internal import DetentPanel
internal import Glibc
internal import KernelSupport

// Plays scenarios in virtual time and by `detent run`, and compares what both tell.
// usage: detent-worlds PROGRAM [--project FOLDER] [TEXT]    plays those whose names contain TEXT
//        detent-worlds PROGRAM [--project FOLDER] --users FIRST-LAST    plays random users
//
// It needs the rig (Tests/Kernel/rig/boot --time-travel): root, gpio-sim, and a machine whose /etc
// may be covered. FOLDER has `panels` and `Tests`; without it, the sources of this program.

guard CommandLine.arguments.count >= 2 else {
    print("usage: detent-worlds PROGRAM [--project FOLDER] [TEXT]")
    exit(2)
}
guard SimChip.isAvailable else {
    print(
        "this kernel has no gpio-sim, or this user is not root: run it with Tests/Kernel/rig/boot")
    exit(77)
}
// Hands hold a line from the moment at which it is requested, so this thread comes first.
var priority = sched_param(sched_priority: 20)
let resetOnFork: Int32 = 0x4000_0000
guard sched_setscheduler(0, SCHED_FIFO | resetOnFork, &priority) == 0 else {
    print("this process cannot be scheduled before the panel: errno \(errno)")
    exit(77)
}
setenv("SWIFT_BACKTRACE", "enable=no", 1)
PanelProcess.program = CommandLine.arguments[1]
var words = CommandLine.arguments.dropFirst(2)
var project = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
if words.first == "--project", words.count > 1 {
    project = words[words.startIndex + 1]
    words.removeFirst(2)
}
/// The seeds of random users; nil: scenarios are played.
var seeds: ClosedRange<UInt64>?
if words.first == "--users" {
    let ends = words.dropFirst().first?.split(separator: "-").compactMap { UInt64($0) } ?? []
    guard let first = ends.first, let last = ends.last, first <= last else {
        print("--users wants seeds, such as 17-17 or 1-200")
        exit(2)
    }
    seeds = first...last
    words = []
}
let wanted = words.first ?? ""
var tally = Tally(wanted: wanted, isRealTime: true)
do {
    try Surroundings.prepare()
    if let seeds {
        let users = try RandomUsers(panelFile: Scenarios.usersPanel(in: project))
        for seed in seeds {
            tally.run("two worlds: seed \(seed)") {
                try Comparison.play(users.scenario(seed: seed))
            }
        }
    }
    for file in seeds == nil ? Scenarios.all(in: project) : [] {
        let name = "two worlds: " + file.dropFirst(project.utf8.count + 1)
        guard wanted.isEmpty || name.contains(wanted) else { continue }
        let refusals = try Comparison.refusals(file)
        for reason in refusals { print("refused \(name): \(reason)") }
        if refusals.isEmpty { tally.run(name) { try Comparison.play(file) } }
    }
} catch {
    print("FAILED the surroundings: \(error)")
    exit(1)
}
exit(tally.close())

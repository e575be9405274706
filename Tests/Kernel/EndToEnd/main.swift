internal import DetentTypes
internal import Glibc
internal import KernelSupport

// Runs `detent run` on gpio-sim and observes its lines and event lines. usage: detent-end-to-end
// PROGRAM [--project FOLDER] [--panels | --without TEXT…] [TEXT]    runs the checks whose names
// contain TEXT
//
// FOLDER has `boards` and `panels`; without it, the sources that this program is made from. With
// --panels it plays the scenarios of the panels. They are long and mostly wait, so use the
// rig's --time-travel for them; the other checks need real time.

guard CommandLine.arguments.count >= 2 else {
    print(
        "usage: detent-end-to-end PROGRAM [--project FOLDER] [--panels | --without TEXT…] [TEXT]")
    exit(2)
}
guard SimChip.isAvailable else {
    print(
        "this kernel has no gpio-sim, or this user is not root: run it with Tests/Kernel/rig/boot")
    exit(77)
}
// A backtrace of a crash would take seconds.
setenv("SWIFT_BACKTRACE", "enable=no", 1)
Daemon.program = CommandLine.arguments[1]
var words = CommandLine.arguments.dropFirst(2)
if words.first == "--project", words.count > 1 {
    EndToEndChecks.project = words[words.startIndex + 1]
    words.removeFirst(2)
}
let isPanels = words.first == "--panels"
if isPanels { words.removeFirst() }
var excluded: [String] = []
while words.first == "--without", words.count > 1 {
    excluded.append(words[words.startIndex + 1])
    words.removeFirst(2)
}
var tally = Tally(wanted: words.first ?? "", without: excluded, isRealTime: !isPanels)
for check in isPanels ? EndToEndChecks.panels : EndToEndChecks.all {
    tally.run(check.name, check.run)
}
exit(tally.close())

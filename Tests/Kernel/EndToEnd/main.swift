internal import Glibc
internal import KernelSupport

// Runs `detent run` on gpio-sim and watches it from outside, through lines and event lines.
// usage: detent-end-to-end PROGRAM [--panels] [TEXT]    runs the checks whose names contain TEXT
//
// With --panels it plays the scenarios of the panels instead. They are long and mostly wait, and so
// are for the rig's --time-travel; the other checks are for real time.

guard CommandLine.arguments.count >= 2 else {
    print("usage: detent-end-to-end PROGRAM [--panels] [TEXT]")
    exit(2)
}
guard SimChip.isAvailable else {
    print(
        "this kernel has no gpio-sim, or this user is not root: run it with Tests/Kernel/rig/boot")
    exit(77)
}
Daemon.program = CommandLine.arguments[1]
var words = CommandLine.arguments.dropFirst(2)
let isPanels = words.first == "--panels"
if isPanels { words.removeFirst() }
var tally = Tally(wanted: words.first ?? "", isRealTime: !isPanels)
for check in isPanels ? EndToEndChecks.panels : EndToEndChecks.all {
    tally.run(check.name, check.run)
}
exit(tally.close())

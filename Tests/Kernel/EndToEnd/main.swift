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
let checks = words.first == "--panels" ? EndToEndChecks.panels : EndToEndChecks.all
if words.first == "--panels" { words.removeFirst() }
let wanted = words.first ?? ""
var passed = 0
var failed = 0
for check in checks where wanted.isEmpty || check.name.contains(wanted) {
    do {
        try check.run()
        passed += 1
        print("ok \(check.name)")
    } catch {
        failed += 1
        print("FAILED \(check.name): \(error)")
    }
    fflush(nil)
}
print("\(passed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)

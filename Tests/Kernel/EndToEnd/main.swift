internal import Glibc
internal import KernelSupport

// Runs `detent run` on gpio-sim and watches it from outside, through lines and event lines.
// usage: detent-end-to-end PROGRAM [TEXT]    runs the checks whose names contain TEXT

guard CommandLine.arguments.count >= 2 else {
    print("usage: detent-end-to-end PROGRAM [TEXT]")
    exit(2)
}
guard SimChip.isAvailable else {
    print(
        "this kernel has no gpio-sim, or this user is not root: run it with Tests/Kernel/rig/boot")
    exit(77)
}
Daemon.program = CommandLine.arguments[1]
let wanted = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : ""
var passed = 0
var failed = 0
for check in EndToEndChecks.all where wanted.isEmpty || check.name.contains(wanted) {
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

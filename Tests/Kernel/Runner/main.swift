internal import DetentGPIOD
internal import DetentHALTesting
internal import Glibc
internal import KernelSupport

// Runs the backend contract on gpio-sim, with fast and with slow chips, then the checks that need a
// kernel. usage: detent-kernel-tests [--without TEXT]… [TEXT]
//
// Runs the checks whose names contain TEXT, without those that contain another.

var words = CommandLine.arguments.dropFirst()
var excluded: [String] = []
while words.first == "--without", words.count > 1 {
    excluded.append(words[words.startIndex + 1])
    words.removeFirst(2)
}
var tally = Tally(wanted: words.first ?? "", without: excluded, isRealTime: true)
guard SimChip.isAvailable else {
    print("there is no gpio-sim here, or this user is not root: run it with Tests/Kernel/rig/boot")
    exit(77)
}
print("# libgpiod \(GPIODInventory.libraryVersion), interface \(GPIODInventory.interface)")
for isSlow in [false, true] {
    for check in BackendContract.checks {
        tally.run("\(isSlow ? "slow" : "fast"): \(check.name)") {
            let driver = try KernelDriver(isSlow: isSlow)
            defer { driver.chip.remove() }
            try check.run(on: driver)
        }
    }
}
for check in BackendContract.checks {
    tally.run("input: \(check.name)") { try check.run(on: InputDriver()) }
}
for check in KernelChecks.all + BurstChecks.all + CostChecks.all {
    tally.run("kernel: \(check.name)", check.run)
}
exit(tally.close())

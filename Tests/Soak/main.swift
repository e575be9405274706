// Plays seeds on a panel with one planted fault, for Tests/Soak/planted:
//
//     soak-planted PANEL FAULT SEEDS
//
// Prints the seed that broke a law and the law, or `missed`.

import DetentPanel
import DetentSoak
import DetentTypes

let arguments = CommandLine.arguments
guard arguments.count == 4, let fault = Int(arguments[2]), let seeds = UInt64(arguments[3]),
    let plan = PanelReader.read(file: arguments[1]).plan
else { preconditionFailure("three arguments: a panel file, a fault, and a number of seeds") }
planted = fault
var caught = "missed"
for seed in 1...seeds {
    if let failure = try Soak(plan, seed: seed).run().failure {
        caught = "\(seed) \(failure.violation.invariant)"
        break
    }
}
print(caught)

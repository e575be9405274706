// Plays seeds on a panel with the planted fault that the environment names, for
// Tests/Soak/planted:
//
//     DETENT_PLANTED=6 soak-planted PANEL SEEDS
//
// Prints the seed that broke a law and the law, or `missed`.

import DetentPanel
import DetentSoak

let arguments = CommandLine.arguments
guard arguments.count == 3, let seeds = UInt64(arguments[2]),
    let plan = PanelReader.read(file: arguments[1]).plan
else { preconditionFailure("two arguments: a panel file, and a number of seeds") }
var caught = "missed"
for seed in 1...seeds {
    if let failure = try Soak(plan, seed: seed).run().failure {
        caught = "\(seed) \(failure.violation.invariant)"
        break
    }
}
print(caught)

// What Tests/Mutants/run adds to its copy of the manifest: only the tests that it wants and what
// they need, without the settings of modules, and with what mutants call.
let wanted: [String] = WANTED
let mutated: Set<String> = MUTATED
func needs(_ target: Target) -> [String] {
    target.dependencies.compactMap {
        switch $0 {
        case .byNameItem(let name, _), .targetItem(let name, _): name
        default: nil
        }
    }
}
var kept: Set<String> = []
var open = wanted
while let name = open.popLast() {
    guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name })
    else { continue }
    open += needs(target)
}
package.targets.removeAll { !kept.contains($0.name) }
package.products = []
package.dependencies = []
for target in package.targets {
    target.swiftSettings = nil
    if mutated.contains(target.name) { target.dependencies.append("MutantSupport") }
}
let hasTimes = package.targets.contains { $0.name == "DetentTypes" }
package.targets += [
    .target(name: "CMutant", path: "Mutants/CMutant"),
    .target(
        name: "MutantSupport", dependencies: hasTimes ? ["CMutant", "DetentTypes"] : ["CMutant"],
        path: "Mutants/MutantSupport"),
]

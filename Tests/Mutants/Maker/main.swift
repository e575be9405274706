// Writes mutants into a copy of the sources.
//
//     mutants IN OUT LIST REFUSED FILE…
//
// Reads IN/FILE, writes OUT/FILE with every mutant in it, and LIST with a line for each mutant:
// number, file, line and key, separated by tabs. REFUSED has the keys that are left out.
import FoundationEssentials
import Glibc
import SwiftOperators
import SwiftParser
import SwiftSyntax

func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

/// Leaves a file alone that would not change, so that nothing is built again without need.
func write(_ text: String, _ path: String) throws {
    if let old = try? read(path), old == text { return }
    try text.write(toFile: path, atomically: false, encoding: .utf8)
}

let arguments = CommandLine.arguments
guard arguments.count > 5 else {
    print("mutants IN OUT LIST REFUSED FILE…")
    exit(2)
}
let refused = Set(try read(arguments[4]).split(separator: "\n").map(String.init))
var list = ""
var next = 1
for file in arguments[5...] {
    let tree = Parser.parse(source: try read("\(arguments[1])/\(file)"))
    let folded = OperatorTable.standardOperators.foldAll(tree) { _ in }
    let places = Places(viewMode: .sourceAccurate)
    places.walk(folded)
    let rewriter = Rewriter(
        places: places, lines: SourceLocationConverter(fileName: file, tree: folded), file: file,
        first: next, refused: refused)
    let rewritten = rewriter.rewrite(folded)
    for mutant in rewriter.mutants {
        list += "\(mutant.number)\t\(file)\t\(mutant.line)\t\(mutant.key(file: file))\n"
    }
    next = rewriter.number
    let start = rewriter.mutants.isEmpty ? "" : "import MutantSupport\n"
    try write(start + rewritten.description, "\(arguments[2])/\(file)")
}
try write(list, arguments[3])

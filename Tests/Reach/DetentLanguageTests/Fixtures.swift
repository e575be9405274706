import DetentPanel
import TestSupport

/// Files of other tests.
enum Fixtures {
    /// The faulty panels: those of `rejected/*.yaml` below a folder, and those of docs/rules.txt.
    static func faulty(below folder: String) throws -> [SourceText] {
        let rejected = try Repository.names(in: folder + "rejected")
            .filter { $0.hasSuffix(".yaml") }
            .map { try SourceText.read(file: folder + "rejected/" + $0) }
        return rejected
            + RuleExample.all.flatMap { example in
                example.breaks.map { SourceText(file: example.rule.name + ".yaml", text: $0) }
            }
    }
}

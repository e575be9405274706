import TestSupport

/// Files of other tests.
enum Fixtures {
    /// The faulty panels below a folder: `rejected/*.yaml`, and `lint/RULE/breaks.yaml`.
    static func faulty(below folder: String) -> [String] {
        let rejected = Repository.names(in: folder + "rejected").filter { $0.hasSuffix(".yaml") }
            .map { folder + "rejected/" + $0 }
        let lint = Repository.names(in: folder + "lint").map { folder + "lint/" + $0 }
            .flatMap { rule in Repository.names(in: rule).map { rule + "/" + $0 } }
            .filter { $0.hasSuffix(".yaml") && !$0.hasSuffix("keeps.yaml") }
        return rejected + lint
    }
}

import DetentPanel

/// Reads a panel file for a command that needs its plan.
enum PanelFile {
    /// The plan of a panel file; problems are printed to standard error.
    ///
    /// - Throws: an exit status where the file has errors: 2, since the command cannot use its
    ///   input.
    static func plan(_ file: String) throws -> PanelPlan {
        let (plan, problems) = PanelReader.read(file: file)
        if !problems.isEmpty { StandardError.write(ProblemRenderer.text(problems)) }
        guard let plan else {
            throw Failure(
                code: .usage, cause: "\(file) cannot be used",
                remedy: "mend what is listed above; `detent check` says when all is well")
        }
        return plan
    }
}

import DetentPanel

/// Reads a panel file for a command that needs its plan.
enum PanelFile {
    /// The plan of a panel file; problems are printed to standard error.
    ///
    /// - Throws: `Failure` with exit code 2 if the file has errors.
    static func plan(_ file: String) throws -> PanelPlan {
        let (plan, problems) = PanelReader.read(file: file)
        if !problems.isEmpty { StandardError.write(ProblemRenderer.text(problems)) }
        guard let plan else {
            throw Failure(
                code: .usage, cause: "\(file) cannot be used",
                remedy: "fix the problems listed above; `detent check` verifies the file")
        }
        return plan
    }
}

import DetentPanel

/// Reads a panel file for a command that needs its plan.
package enum PanelFile {
    /// The plan of a panel file; problems are printed to standard error.
    ///
    /// - Throws: `Failure` with exit code 2 if the file has errors.
    package static func plan(_ file: String) throws -> PanelPlan {
        let (plan, problems) = PanelReader.read(file: file)
        return try checked(file, plan, problems)
    }

    /// The plan of a panel file, and the file as it was read.
    ///
    /// - Throws: as `plan` does.
    package static func planAndSource(
        _ file: String
    ) throws -> (plan: PanelPlan, source: SourceText) {
        let source: SourceText
        do throws(SourceText.Unreadable) {
            source = try SourceText.read(file: file)
        } catch {
            // Reports it.
            return (try plan(file), SourceText(file: file, bytes: []))
        }
        let (plan, problems) = PanelReader.read(source)
        return (try checked(file, plan, problems), source)
    }

    private static func checked(
        _ file: String, _ plan: PanelPlan?, _ problems: [Problem]
    ) throws -> PanelPlan {
        if !problems.isEmpty { StandardError.write(ProblemRenderer.text(problems)) }
        guard let plan else {
            throw Failure(
                code: .usage, cause: "\(file) cannot be used",
                remedy: "fix the problems listed above; `detent check` verifies the file")
        }
        return plan
    }
}

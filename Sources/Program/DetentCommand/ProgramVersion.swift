import CCommit

/// What this program was built from.
package enum ProgramVersion {
    /// The version; see CHANGELOG.md.
    package static let number = "0.1.0"

    /// The commit, with `+changes` if files differed from it, or `unknown`: only the build knows,
    /// and `swift build` alone does not say.
    package static var commit: String {
        let commit = String(cString: detent_commit())
        return commit.isEmpty ? "unknown" : commit
    }
}

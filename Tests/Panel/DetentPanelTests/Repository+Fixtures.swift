import TestSupport

extension Repository {
    /// The path of a fixture of these tests.
    static func fixture(_ name: String) -> String {
        path("Tests/Panel/DetentPanelTests/Fixtures/" + name)
    }
}

internal import KernelSupport

/// The scenarios that both worlds play.
enum Scenarios {
    /// Those of the panels, then those of this tool.
    static func all(in project: String) -> [String] {
        let panels = "\(project)/panels"
        let folders = KernelFile.names(in: panels).map { "\(panels)/\($0)" }
        return (folders + ["\(project)/Tests/Kernel/Worlds/Scenarios"]).flatMap { folder in
            KernelFile.names(in: folder).filter { $0.hasSuffix(".scenario.yaml") }.map {
                "\(folder)/\($0)"
            }
        }
    }

    /// The panel that random users touch: gestures and turns that act, relative values, groups.
    static func usersPanel(in project: String) -> String {
        "\(project)/Tests/Kernel/Worlds/Scenarios/gestures.panel.yaml"
    }
}

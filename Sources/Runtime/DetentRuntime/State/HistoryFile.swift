public import DetentPanel

/// The name of a panel's history.
public enum HistoryFile {
    /// The name of its database, in the folder of the values.
    public static func name(of plan: PanelPlan) -> String {
        let name = SavedFile.name(of: plan)
        return name.dropLast(".state".count) + ".history"
    }
}

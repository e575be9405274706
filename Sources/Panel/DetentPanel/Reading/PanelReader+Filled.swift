import DetentTypes

extension PanelReader {
    /// A panel file with all its defaults filled in; nil if it is not YAML.
    ///
    /// References such as `${env:NAME}` stay as they are. What Detent has built in is in comments
    /// at the end, a line for each kind that the file has: some of it would contradict a control.
    /// Then come the controls whose taps wait for a gesture, with how long.
    public static func filledText(_ source: SourceText) -> String? {
        let log = ProblemLog(source)
        let schema = Schema.builtIn
        guard let written = YAMLReader.read(source, log: log), written.entries != nil else {
            return nil
        }
        let filled = ControlDefaults.filled(written, schema, log)
        let controls = ControlGroups.joined(filled, log)["controls"]?.entries ?? []
        let words = Set(controls.compactMap { $0.value["kind"]?.text })
        let builtIn = schema.kinds.filter { words.contains($0.word) }.map { kind in
            let own = schema.keys(of: kind)
            let keys = schema.keys(in: .control).filter { own.contains($0.name) }.compactMap {
                key in key.defaultValue.value.map { "\(key.name): \($0)" }
            }
            return "# Built in, for `\(kind.word)`: \(keys.joined(separator: ", "))\n"
        }
        let waits = read(source).plan.map { plan in
            plan.controls.indices.compactMap { place in
                let id = ControlID(UInt16(place))
                return plan.tapWait(of: id).map { "# `\(plan[id].id)`: \($0)\n" }
            }
        }
        return YAMLWriter.text(filled) + builtIn.joined() + (waits ?? []).joined()
    }
}

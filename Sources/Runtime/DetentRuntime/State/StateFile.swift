import DetentPanel
import DetentTypes
import Glibc

/// Reads and replaces the state file of a panel.
struct StateFile {
    /// The most files that are renamed. After that, no further file is renamed.
    static let asides = 100

    private let plan: PanelPlan
    private let folder: any StateFolder
    private let place: String
    private let log: @Sendable (String) -> Void

    init(
        _ plan: PanelPlan, _ folder: any StateFolder, _ place: String,
        _ log: @escaping @Sendable (String) -> Void
    ) {
        self.plan = plan
        self.folder = folder
        self.place = place
        self.log = log
    }

    /// Replaces a file in one step: at any time either the old or the new file exists.
    static func replace(
        _ name: String, by bytes: [UInt8], in folder: any StateFolder
    ) throws(StateFolderError) {
        let fresh = name + ".new"
        try folder.write(bytes, to: fresh)
        try folder.sync(fresh)
        try folder.rename(fresh, to: name)
        try folder.syncNames()
    }

    /// The saved values, with those of a process that died before it could save them.
    ///
    /// - Returns: nil if a file cannot be read and cannot be renamed.
    func loadAll() -> [SavedValue]? {
        guard let saved = load() else { return nil }
        let name = KeptValues.name(of: plan)
        do throws(StateFolderError) {
            guard let bytes = try folder.read(name) else { return saved }
            guard let kept = KeptValues.read(bytes, of: plan) else {
                log("detent: \(place)/\(name) belongs to another panel file and was removed\n")
                try folder.remove(name)
                return saved
            }
            var values: [Value?] = plan.controls.map { _ in nil }
            for entry in saved + kept { values[Int(entry.control.index)] = entry.value }
            // First saved, then removed: the process may be killed in between.
            try Self.replace(
                SavedFile.name(of: plan), by: SavedFile.bytes(values, of: plan), in: folder)
            try folder.remove(name)
            try folder.syncNames()
            return plan.allControls.compactMap { control in
                values[Int(control.index)].map { SavedValue(control: control, value: $0) }
            }
        } catch {
            log(
                "detent: \(place)/\(name) cannot be \(error.step): \(error.cause); the latest "
                    + "values before the crash are not used\n"
                    + "help: make the folder writable for the user of detent\n")
            return saved
        }
    }

    /// The saved values. If there is no file, or it belongs to another panel, the result is empty;
    /// a file of another panel is renamed.
    ///
    /// - Returns: nil if a file cannot be read and cannot be renamed.
    func load() -> [SavedValue]? {
        let name = SavedFile.name(of: plan)
        let cause: String
        do throws(StateFolderError) {
            guard let bytes = try folder.read(name) else { return [] }
            guard bytes.count <= SavedFile.byteLimit else {
                return putAside(name, "is too large for a state file")
            }
            do throws(SavedFile.Foreign) {
                let reading = try SavedFile.read(bytes, of: plan)
                for note in reading.notes { log("detent: \(place)/\(name): \(note)\n") }
                return reading.values
            } catch {
                cause = error.cause
            }
        } catch {
            cause = "cannot be \(error.step): \(error.cause)"
        }
        return putAside(name, cause)
    }

    private func putAside(_ name: String, _ cause: String) -> [SavedValue]? {
        let names = (1...Self.asides).map { "\(name).aside-\($0)" }
        guard let aside = names.first(where: { !folder.contains($0) }) else {
            return refuse(name, cause, "\(Self.asides) such files have already been renamed")
        }
        do throws(StateFolderError) {
            try folder.rename(name, to: aside)
        } catch {
            return refuse(
                name, cause, "it cannot be renamed: \(error.cause)")
        }
        log(
            "detent: \(place)/\(name) \(cause); controls start at their defaults\n"
                + "help: it was renamed to \(aside); delete it if you do not need it\n")
        return []
    }

    private func refuse(_ name: String, _ cause: String, _ reason: String) -> [SavedValue]? {
        log(
            "detent: \(place)/\(name) \(cause), and \(reason); controls start at their defaults "
                + "and values are not saved\n"
                + "help: move the file, or use a folder that only detent uses with "
                + "--state-dir\n")
        return nil
    }
}

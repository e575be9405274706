import DetentPanel
import Glibc

/// Reads and replaces the state file of a panel.
struct StateFile {
    /// Files that were put aside, at most; then nothing more is.
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

    /// Replaces a file in one step: whatever happens, there is the old one or the new one.
    static func replace(
        _ name: String, by bytes: [UInt8], in folder: any StateFolder
    ) throws(StateFolderError) {
        let fresh = name + ".new"
        try folder.write(bytes, to: fresh)
        try folder.sync(fresh)
        try folder.rename(fresh, to: name)
        try folder.syncNames()
    }

    /// What the file says; nothing where there is none, or none of this panel, which is put aside.
    ///
    /// - Returns: nil where it stands in the way and cannot be put aside.
    func load() -> [SavedValue]? {
        let name = SavedFile.name(of: plan)
        let cause: String
        do throws(StateFolderError) {
            guard let bytes = try folder.read(name) else { return [] }
            guard bytes.count <= SavedFile.byteLimit else {
                return putAside(name, "is larger than any state of a panel")
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
            return refuse(name, cause, "\(Self.asides) such files were put aside already")
        }
        do throws(StateFolderError) {
            try folder.rename(name, to: aside)
        } catch {
            return refuse(
                name, cause, "it cannot be put aside: \(error.cause)")
        }
        log(
            "detent: \(place)/\(name) \(cause); controls start at their defaults\n"
                + "help: it is kept as \(aside): look at it, and remove it if nothing in it is "
                + "wanted\n")
        return []
    }

    private func refuse(_ name: String, _ cause: String, _ reason: String) -> [SavedValue]? {
        log(
            "detent: \(place)/\(name) \(cause), and \(reason); controls start at their defaults "
                + "and nothing is kept\n"
                + "help: move the file away, or give the user of detent a folder of its own with "
                + "--state-dir\n")
        return nil
    }
}

import DetentPanel
import DetentPlatform
import DetentRuntime
import Glibc

extension RunCommand {
    /// Where values are kept: the folder of the command line, or else the first that the service
    /// manager names.
    func store(of plan: PanelPlan, _ log: TextWriter) throws -> StateStore? {
        let named = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? ""
        let first = named.split(separator: ":").first.map(String.init)
        guard let place = stateDir ?? first else { return nil }
        let folder = SystemStateFolder(place)
        let lock = try claim(SavedFile.name(of: plan), in: folder, log)
        return try StateStore.open(plan, in: folder, place: place, lock: lock) { log.add($0) }
    }

    /// Claims the file of a panel; nil where that is impossible, which is logged.
    ///
    /// - Throws: where another process has it: two would lose each other's values.
    private func claim(
        _ name: String, in folder: SystemStateFolder, _ log: TextWriter
    ) throws -> FileLock? {
        let claim: StateClaim
        do throws(StateFolderError) {
            claim = try folder.claim(name)
        } catch {
            log.add(
                "detent: \(folder.path)/.\(name).lock cannot be \(error.step): \(error.cause); "
                    + "a second detent with this panel would not be noticed\n"
                    + "help: give the user of detent a folder that it may write\n")
            return nil
        }
        switch claim {
        case .mine(let lock): return lock
        case .held(let process):
            let who = process.map { "process \($0)" } ?? "another process"
            throw Failure(
                code: .hardware,
                cause: "\(folder.path)/\(name) is in use: \(who) runs this panel",
                remedy: "end \(who), or give this one another folder with --state-dir")
        }
    }
}

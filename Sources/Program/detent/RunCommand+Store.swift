import DetentCommand
import DetentGuardian
import DetentPanel
import DetentPlatform
import DetentRuntime
import Glibc

extension RunCommand {
    /// The folder of the command line, or otherwise the first one that the service manager names.
    var stateFolder: String? {
        let named = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? ""
        let first = named.split(separator: ":").first.map(String.init)
        return stateDir ?? first
    }

    /// Keeps the latest values of a panel in the memory of its guardian, from now on: the guardian
    /// writes them to a file if the panel dies. Nil without a guardian or a folder.
    func keep(_ values: [SavedValue], of plan: PanelPlan, _ log: TextWriter) -> KeptValues? {
        guard let stateFolder, let guardian = PanelGuardian.ofThisProcess else { return nil }
        // Between two panels there is nothing to write: a value has its meaning from one of them.
        guardian.forgetValues()
        guard let words = guardian.values(count: plan.controls.count) else { return nil }
        let kept = KeptValues(plan, in: words, saved: values)
        let file = stateFolder + "/" + KeptValues.name(of: plan)
        if !guardian.keepValues(in: file, identity: kept.identity) {
            log.add("detent: the path of \(file) is too long: a crash loses the last second\n")
        }
        return kept
    }

    /// Ends the command with 1 if data was not written, or could not be kept from the start: the
    /// log has the reason.
    func end(_ isWhole: Bool, _ store: StateStore?) throws(ExitStatus) {
        guard isWhole, store != nil || stateFolder == nil else { throw .failed }
    }

    /// Opens the store of values in the folder of the command line, or otherwise in the first
    /// folder that the service manager names.
    func store(of plan: PanelPlan, _ log: TextWriter) throws -> StateStore? {
        guard let place = stateFolder else { return nil }
        let folder = SystemStateFolder(place)
        let lock = try claim(SavedFile.name(of: plan), in: folder, log)
        return try StateStore.open(plan, in: folder, place: place, lock: lock) { log.add($0) }
    }

    /// Claims the file of a panel; nil if that is impossible, which is logged.
    ///
    /// - Throws: `Failure` if another process has it, because two processes would overwrite each
    ///   other's values.
    private func claim(
        _ name: String, in folder: SystemStateFolder, _ log: TextWriter
    ) throws -> FileLock? {
        let claim: StateClaim
        do throws(StateFolderError) {
            // To stop the guardian is to stop its panel, also between two starts.
            let first = PanelGuardian.ofThisProcess == nil ? getpid() : getppid()
            claim = try folder.claim(name, for: first)
        } catch {
            log.add(
                "detent: \(folder.path)/.\(name).lock cannot be \(error.step): \(error.cause); "
                    + "a second detent with this panel would not be noticed\n"
                    + "help: make the folder writable for the user of detent\n")
            return nil
        }
        switch claim {
        case .mine(let lock): return lock
        case .held(let process):
            let who = process.map { "process \($0)" } ?? "another process"
            throw Failure(
                code: .hardware,
                cause: "\(folder.path)/\(name) is in use: \(who) runs this panel",
                remedy: "stop \(who), or use another folder with --state-dir")
        }
    }
}

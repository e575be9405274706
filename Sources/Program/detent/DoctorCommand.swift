import ArgumentParser
import DetentActions
import DetentBench
import DetentCommand
import DetentCore
import DetentDevices
import DetentGPIOD
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime
import Glibc

/// `detent doctor`: what would stop a panel on this machine, and how to fix it.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find what would stop a panel on this machine.",
        discussion: """
            Examples:  detent doctor
                       detent doctor panel.yaml

            It knows the versions, the board, the GPIO chips and who can open them, the udev rule,
            the real-time limits, the folder of saved values, and the service of a panel in
            /etc/detent (without a file: of each panel there). Run it as the user that runs the
            panel.
            `doctor` requests no line and changes nothing.
            Exit codes: 0 no problem, 2 the panel file cannot be used,
            3 something would stop the panel.
            """)

    @Argument(help: "Panel file whose GPIO lines are checked.")
    var panel: String?

    @Option(
        help: ArgumentHelp(
            "The folder of saved values (default: /var/lib/detent).", valueName: "folder"))
    var stateDir = "/var/lib/detent"

    func run() throws {
        let plan = try panel.map { try PanelFile.plan($0) }
        let inventory = GPIODInventory.scan()
        var report = Report()
        report.add(MachineFacts.versions.findings)
        describeBoard(named: plan?.board, &report)
        describeFunctions(plan?.freeFunctions ?? [], &report)
        describeChips(inventory, plan, &report)
        let access = MachineFacts.access(inventory)
        report.add(access.findings)
        describeLevels(&report)
        let services = MachineFacts.services(
            ofPanel: panel, chipGroups: Set(access.devices.compactMap(\.group)))
        report.add(services.findings)
        if !services.decidesRealTime { describeRealTime(&report) }
        describeStateFolder(&report)
        if let plan {
            describeModels(plan, inventory, &report)
            describeLines(plan, inventory, &report)
            describeCrashes(plan, &report)
            describeDisplays(plan, &report)
            describeFeedback(plan, &report)
            report.add(NeededPrograms.keys(plan, problem: KeyPad.problem))
            let hasCurl = FedProgram.check(["curl"]) == nil
            report.add(
                NeededPrograms.findings(
                    plan, hasCurl: hasCurl, needsCurl: HTTPRunner.needsCurl))
        }
        try StandardOutput.writeOrFail(report.text)
        if report.problems > 0 { throw ExitStatus.hardware }
    }

    private struct Report {
        var text = ""
        var problems = 0

        mutating func add(_ findings: [Finding]) {
            for finding in findings {
                switch finding.weight {
                case .fine: say(finding.text)
                case .note: note(finding.text, help: finding.help)
                case .problem: complain(finding.text, help: finding.help)
                }
            }
        }

        mutating func say(_ line: String) { text += "ok       \(line)\n" }

        mutating func note(_ line: String, help: String) {
            text += "note     \(line)\n         help: \(help)\n"
        }

        mutating func complain(_ line: String, help: String) {
            problems += 1
            text += "problem  \(line)\n         help: \(help)\n"
        }
    }

    /// Whether this program, and so the system, is 64-bit ARM.
    #if arch(arm64)
        private static let isARM64 = true
    #else
        private static let isARM64 = false
    #endif

    private func describeBoard(named name: String?, _ report: inout Report) {
        let catalogue = BoardCatalogue.builtIn
        let board = name.map { catalogue.board(named: $0).board } ?? catalogue.detect()
        if let name {
            report.say("board of the panel: \(name)")
        } else if let board {
            report.say("board \(board.id): \(board.name)")
        }
        if let board, let remark = board.packageRemark, !(board.hasPackage && Self.isARM64) {
            report.note(
                "\(board.id): \(remark)",
                help: board.hasPackage
                    ? "install its 64-bit system, on which `uname -m` prints aarch64"
                    : "use a board that `detent boards` lists without a remark, or build Detent "
                        + "for this one yourself")
        } else if board == nil, name == nil {
            report.note(
                "this machine is not a known board",
                help: "write `board:` in the panel file, or give lines as {chip: LABEL, offset: N}")
        }
    }

    private func describeFunctions(_ functions: [String], _ report: inout Report) {
        let found = FreeFunctions.inUse(
            functions, devices: FreeFunctions.devices,
            kernelOptions: FreeFunctions.kernelOptions)
        for finding in found {
            report.complain(
                "`\(finding.function)` is not free: \(finding.sign)",
                help: "switch it off in the configuration of the board and start it again, "
                    + "or use other pins")
        }
    }

    private func describeChips(
        _ inventory: GPIODInventory, _ plan: PanelPlan?, _ report: inout Report
    ) {
        let wanted = plan.map { $0.lines.count { $0.channel == nil } }
        // A panel on other devices needs no chip.
        if inventory.chips.isEmpty, wanted != 0 {
            let needs = wanted.map { "; the panel needs one for \(counted($0, "line"))" } ?? ""
            report.complain(
                "no GPIO chip: there is no /dev/gpiochip*\(needs)",
                help: "run on a board whose kernel has GPIO character devices; "
                    + "`detent sim` needs none")
        }
        for chip in inventory.chips {
            let held = chip.lines.count { $0.isUsed }
            if chip.errno == 0 {
                report.say(
                    "\(chip.path) \(chip.nameAndPlace): \(chip.lines.count) lines, \(held) in use"
                        + (chip.sleeps ? ", on a slow bus (\(chip.subsystem))" : ""))
            } else if chip.errno != EACCES {
                // `ChipAccess` explains a refusal.
                report.complain("\(chip.path) cannot be opened", help: chip.permissionRemedy)
            }
        }
    }

    private func describeLevels(_ report: inout Report) {
        let names = LEDInventory.scan().names
        if !names.isEmpty {
            report.say("LEDs for `led:`: " + names.map { "\"\($0)\"" }.joined(separator: ", "))
        }
        let chips = PWMInventory.scan()
        for chip in chips.records {
            report.say(
                "PWM chip for `pwm:`: \"\(chips.ownName(of: chip))\" with "
                    + counted(Int(chip.channels), "channel"))
        }
    }

    private func describeRealTime(_ report: inout Report) {
        let missing = RealTime.missing
        guard !missing.isEmpty else { return report.say("--realtime is possible") }
        report.note(
            "--realtime is not possible: \(missing.joined(separator: "; "))",
            help:
                "only --realtime needs higher limits; detent@.service has them. For a login, write "
                + "`* - rtprio 45` and `* - memlock unlimited` to "
                + "/etc/security/limits.d/detent.conf")
    }

    /// Tells where the last values of a panel are lost when the power goes.
    private func describeStateFolder(_ report: inout Report) {
        let remedy =
            "keep values on a card or a disk: give another folder to "
            + "`detent run --state-dir FOLDER`"
        switch FolderMedium.of(stateDir) {
        case nil: break
        case .storage: report.say("\(stateDir) is on a disk or a card")
        case .memory:
            report.note(
                "\(stateDir) is in memory: saved values are lost when the power goes", help: remedy)
        case .overlay:
            report.note(
                "\(stateDir) is on an overlay: if its upper layer is in memory, saved values are "
                    + "lost when the power goes",
                help: "switch the overlay off, or \(remedy)")
        }
    }

    /// Explains what becomes of `on-crash` levels when Detent has ended.
    private func describeCrashes(_ plan: PanelPlan, _ report: inout Report) {
        for control in plan.controls {
            let outputs = [control.settings.outputs, control.settings.stepOutputs]
            let isReleased = outputs.contains { $0.places.contains { !plan.lines[$0].hasLevels } }
            guard let level = control.crashLevel, isReleased else { continue }
            report.note(
                "\(control.id): `on-crash: \(level.word)` holds only while a process drives "
                    + "the line",
                help: level.crashRemedy)
        }
    }

    private func describeDisplays(_ plan: PanelPlan, _ report: inout Report) {
        for display in plan.displays {
            let subject = display.device.subject
            if let fault = DisplayWriter.check(display) {
                report.complain("display \(display.name): \(fault.cause)", help: fault.remedy)
            } else {
                report.say("display \(display.name): \(subject)")
            }
        }
    }

    private func describeFeedback(_ plan: PanelPlan, _ report: inout Report) {
        for control in plan.controls {
            guard case .program(let arguments)? = control.feedback?.source else { continue }
            if let fault = FedProgram.check(arguments) {
                report.complain("feedback of \(control.id): \(fault.cause)", help: fault.remedy)
            } else {
                report.say("feedback of \(control.id): \(arguments.first ?? "")")
            }
        }
    }

    /// Compares the models that the file says with the chips that are there.
    private func describeModels(
        _ plan: PanelPlan, _ inventory: GPIODInventory, _ report: inout Report
    ) {
        let claims = plan.chips.compactMap { chip in
            chip.model.map { ModelClaim(name: chip.name, device: chip.device, model: $0) }
        }
        for remark in inventory.modelRemarks(of: claims) {
            if remark.isOtherSize {
                report.complain(remark.cause, help: remark.remedy)
            } else {
                report.note(remark.cause, help: remark.remedy)
            }
        }
    }

    private func describeLines(
        _ plan: PanelPlan, _ inventory: GPIODInventory, _ report: inout Report
    ) {
        let channels = plan.lineSettings.filter { $0.location.channel != nil }
        let other = ChannelSource.all.flatMap { source in
            source.problems(channels.filter(source.takes))
        }
        for problem in LineProblem.grouped(other) {
            report.complain("\(problem.lines): \(problem.cause)", help: problem.remedy)
        }
        // Reported above, for all lines.
        let lines = plan.lineSettings.filter { $0.location.channel == nil }
        if inventory.chips.isEmpty, !lines.isEmpty { return }
        let problems = inventory.problems(of: lines)
        // A chip that cannot be opened is reported above, once.
        for problem in LineProblem.grouped(problems.filter { $0.code != .permissionDenied }) {
            report.complain("\(problem.lines): \(problem.cause)", help: problem.remedy)
        }
        for remark in inventory.pullRemarks(of: lines).map(LineProblem.init) {
            report.note("\(remark.lines): \(remark.cause)", help: remark.remedy)
        }
        if problems.isEmpty, other.isEmpty {
            report.say("all \(plan.lines.count) lines of the panel are free")
        }
    }
}

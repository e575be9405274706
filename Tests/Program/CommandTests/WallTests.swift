import FreePorts
import Glibc
import Processes
import TestSupport
import Testing

/// What the processes that read what strangers send have of the panel, and what it keeps closed.
/// `Tests/Walls/check` tries their system calls.
@Suite struct WallTests {
    private static let names = ["detent-gateway", "detent-broker", "detent-osc"]
    private static let secret = "s3cr3t-of-an-action"
    private static let word = "w0rd-of-the-broker"

    /// A panel with all three; nothing listens where its broker is to be.
    private static func panel() -> String {
        """
        panel: Walls
        board: none
        mqtt: {url: "mqtt://127.0.0.1:\(FreePorts.next())", user: u, password: "${env:BROKER_WORD}"}
        controls:
          cue:
            kind: indicator
            label: Cue
            indicator: LED
            feedback: {osc: {listen: "127.0.0.1:\(FreePorts.next(.udp))", address: /cue}}

        """
    }

    /// The processes of these names below the panel, once all of them are shut in.
    private static func parts(of daemon: ServedDaemon) throws -> [String: pid_t] {
        let panel = try daemon.panel()
        for _ in 0..<12_000 {
            var found: [String: pid_t] = [:]
            for process in ProcessTree.children(of: panel) {
                let status = ProcessTree.text("/proc/\(process)/status")
                let isShutIn = status.contains("Seccomp:\t2\n") || !status.contains("Seccomp:")
                for name in names where isShutIn && status.hasPrefix("Name:\t\(name)\n") {
                    found[name] = process
                }
            }
            if found.count == names.count { return found }
            daemon.pause(5)
        }
        throw ServedDaemon.Missing()
    }

    /// They have none of the panel's rights and variables. Only root sees all of this.
    @Test func theyHaveNoRightsAndNoSecrets() throws {
        let daemon = try ServedDaemon(
            Self.panel(), shell: "export DOOR=\(Self.secret) BROKER_WORD=\(Self.word);")
        for (name, process) in try Self.parts(of: daemon) {
            let status = ProcessTree.text("/proc/\(process)/status")
            #expect(status.contains("CapEff:\t0000000000000000\n"), "\(name)")
            #expect(status.contains("CapPrm:\t0000000000000000\n"), "\(name)")
            #expect(status.contains("NoNewPrivs:\t1\n"), "\(name)")
            if geteuid() == 0 {
                #expect(status.contains("Uid:\t65534\t65534\t65534\t65534\n"), "\(name)")
                #expect(status.contains("Gid:\t65534\t65534\t65534\t65534\n"), "\(name)")
                #expect(status.contains("Groups:\t \n"), "\(name)")
                #expect(status.contains("CapBnd:\t0000000000000000\n"), "\(name)")
            }
            let variables = ProcessTree.text("/proc/\(process)/environ")
            #expect(!variables.contains(Self.secret) && !variables.contains("HOME="), "\(name)")
            expectEqual(variables.contains(Self.word), (name == "detent-broker" && geteuid() == 0))
            let limits = ProcessTree.text("/proc/\(process)/limits").split(separator: "\n")
            let data = try #require(limits.first { $0.hasPrefix("Max data size") })
            #expect(!data.contains("unlimited"), "\(name)")
        }
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// No process of the same user can look into them: what is theirs in /proc belongs to root.
    @Test(.enabled(if: geteuid() == 0, "only root can run it as another user"))
    func theMemoryOfThePanelIsClosed() throws {
        let user = "setpriv --reuid=65533 --regid=65533 --clear-groups"
        let daemon = try ServedDaemon(
            Program.heater("Closed", "startup: off"),
            shell: "chmod 755 ${2%/*}; chmod 644 $2; exec \(user) \"$0\" \"$@\";")
        let processes = [
            daemon.session.process, try daemon.panel(), try daemon.gateway(),
        ]
        #expect(daemon.request("GET /healthz").contains("200 OK"))
        for process in processes {
            var memory = stat()
            #expect(stat("/proc/\(process)/mem", &memory) == 0 && memory.st_uid == 0)
            #expect(
                ProcessTree.text("/proc/\(process)/status").contains("Uid:\t65533\t65533"),
                "it is the other user's, and its memory is not")
        }
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// A scheduling class that was chosen for the panel holds for what it starts. A user may not
    /// leave that of idle processes, so a panel that tried had no page and no actions. Here it is
    /// the class of batches, which gets its share of a busy machine.
    @Test func whatIsStartedKeepsTheSchedulingClass() throws {
        let folder = Folder()
        let copy = folder.path + "/stat"
        let daemon = try ServedDaemon(
            Program.heater(
                "Batch",
                "startup: off\n    action: {run: [/bin/cp, /proc/self/stat, \(copy)], timeout: 50s}"
            ),
            shell: "exec chrt --batch 0 \"$0\" \"$@\";")
        let body = "{\"value\": \"on\"}"
        #expect(daemon.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        #expect(daemon.shows("heater", "\"actual\":\"on\""))
        let gateway = "/proc/\(try daemon.gateway())/stat"
        for text in [ProcessTree.text(copy), ProcessTree.text(gateway)] {
            // "PID (NAME) STATE …", and the 41st field is the class: 3 is SCHED_BATCH.
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            #expect(fields.count > 38 && fields[38] == "3", "\(text)")
        }
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// A limit of file sizes is a message, not the end of the panel without a word.
    @Test func aLimitOfFileSizesEndsNoPanel() throws {
        let folder = Folder()
        let daemon = try ServedDaemon(
            Program.heater("Limit", "startup: saved"), ["--state-dir", folder.path],
            shell: "ulimit -f 1;")
        let body = "{\"value\": \"on\"}"
        #expect(daemon.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        #expect(daemon.session.waitForErrors("values are kept in a file"))
        #expect(daemon.request("GET /healthz").contains("200 OK"))
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().signal, 0)
    }

    /// Values that could not be saved are told by the exit code too.
    @Test func valuesThatWereNotSavedEndWithOne() throws {
        let folder = Folder()
        let states = folder.path + "/states"
        let daemon = try ServedDaemon(
            "history: off\n" + Program.heater("Limit", "startup: saved"), ["--state-dir", states],
            shell: "mkdir \(states);")
        // A file is in the place of the folder now.
        _ = Program.run(["--version"], shell: "rm -r \(states); : >\(states);")
        let body = "{\"value\": \"on\"}"
        #expect(daemon.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        daemon.session.send(SIGTERM)
        let end = daemon.session.end()
        expectEqual(end.code, 1, "\(end.errors)")
        #expect(end.errors.contains("saved"), "\(end.errors)")
    }

    private static let canBeSpared: Bool = {
        let path = "/proc/self/oom_score_adj"
        let before = ProcessTree.text(path)
        func write(_ text: String) -> Bool {
            guard let file = fopen(path, "w") else { return false }
            fputs(text, file)
            return fclose(file) == 0
        }
        let isSpared = write("-500")
        _ = write(before)
        return isSpared
    }()

    /// The kernel spares a panel when memory is short, and not what its programs use.
    @Test(.enabled(if: canBeSpared, "only root can ask to be spared, and not on every machine"))
    func programsAreNotSparedAsThePanelIs() throws {
        let folder = Folder()
        let score = folder.path + "/score"
        let daemon = try ServedDaemon(
            Program.heater(
                "Spared",
                "action: {run: [/bin/sh, -c, \"sleep 0.3; cat /proc/self/oom_score_adj > "
                    + "\(score); echo done >> \(score)\"], timeout: 20s}"),
            shell: "echo -500 > /proc/self/oom_score_adj;")
        expectEqual(ProcessTree.text("/proc/\(try daemon.panel())/oom_score_adj"), "-500\n")
        let body = "{\"value\": \"on\"}"
        #expect(daemon.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        for _ in 0..<400 where !ProcessTree.text(score).hasSuffix("done\n") { daemon.pause(25) }
        expectEqual(ProcessTree.text(score), "0\ndone\n")
        expectEqual(ProcessTree.text("/proc/\(try daemon.panel())/oom_score_adj"), "-500\n")
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }
}

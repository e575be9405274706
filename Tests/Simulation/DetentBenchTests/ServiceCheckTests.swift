import DetentPanel
import TestSupport
import Testing

@testable import DetentBench

/// What systemd says of the service of a panel, as `systemctl show` prints it.
@Suite struct ServiceCheckTests {
    private func text(
        _ name: String, load: String = "loaded", active: String = "active",
        file: String = "enabled", user: String = "detent", extra: String = "gpio",
        limit: String = "45", result: String = "success", reload: String = "no"
    ) -> String {
        """
        Result=\(result)
        LimitRTPRIO=\(limit)
        User=\(user)
        SupplementaryGroups=\(extra)
        Id=detent@\(name).service
        LoadState=\(load)
        ActiveState=\(active)
        UnitFileState=\(file)
        NeedDaemonReload=\(reload)

        """
    }

    private func findings(_ texts: String..., groups: Set<String>? = []) -> [Finding] {
        var users = [
            "root": UserAccount(name: "root", isRoot: true, groups: [], nextGroups: [])
        ]
        if let groups {
            users["detent"] = UserAccount(
                name: "detent", isRoot: false, groups: groups, nextGroups: groups)
        }
        return ServiceCheck(
            services: PanelService.list(texts.joined(separator: "\n")), users: users,
            chipGroups: ["gpio"], priority: 10
        ).findings
    }

    @Test func aServiceThatRunsIsFine() {
        expectEqual(
            findings(text("lab")),
            [
                .fine("detent@lab is enabled and active, as the user detent")
            ])
    }

    @Test func everyStateHasItsCommand() {
        expectEqual(
            findings(text("lab", file: "disabled")),
            [
                .note(
                    "detent@lab runs, but does not start with the machine",
                    "run `sudo systemctl enable detent@lab`")
            ])
        expectEqual(
            findings(text("lab", active: "inactive")),
            [
                .note(
                    "detent@lab is enabled, but does not run",
                    "run `sudo systemctl start detent@lab`")
            ])
        expectEqual(
            findings(text("lab", active: "inactive", file: "disabled")),
            [
                .note(
                    "detent@lab is not enabled and does not run",
                    "run `sudo systemctl enable --now detent@lab`")
            ])
        expectEqual(
            findings(text("lab", active: "failed", result: "exit-code")),
            [
                .problem(
                    "detent@lab has failed (exit-code)",
                    "see `journalctl -u detent@lab -n 20`; then run "
                        + "`sudo systemctl restart detent@lab`")
            ])
    }

    @Test func aMissingFileOfTheServiceIsSaidOnce() {
        let found = findings(
            text("a", load: "not-found", active: "inactive", file: ""),
            text("b", load: "not-found", active: "inactive", file: ""))
        expectEqual(found.map(\.weight), [.note])
        #expect(found[0].text.hasPrefix("systemd does not know detent@a"))
    }

    @Test func aChangedFileIsSaidOnce() {
        let found = findings(text("a", reload: "yes"), text("b", reload: "yes"))
        expectEqual(found.map(\.weight), [.note, .fine, .fine])
        expectEqual(found[0].help, "run `sudo systemctl daemon-reload`")
    }

    @Test func aUserWithoutTheGroupOfTheChipsIsAProblem() {
        let found = findings(text("a", extra: ""), text("b", extra: ""))
        expectEqual(found.map(\.weight), [.problem, .fine, .fine])
        #expect(found[0].text.hasPrefix("the user detent of detent@a is not in the group gpio"))
        expectEqual(findings(text("a", extra: ""), groups: ["gpio"]).map(\.weight), [.fine])
        expectEqual(findings(text("a", user: "", extra: "")).map(\.weight), [.fine])
    }

    @Test func aUserThatDoesNotExistIsAProblem() {
        let found = findings(text("a"), groups: nil)
        expectEqual(found.map(\.weight), [.problem, .fine])
        expectEqual(found[0].help, "run `sudo systemd-sysusers`")
    }

    @Test(arguments: [("0", true), ("9", true), ("10", false), ("infinity", false), ("", false)])
    func aLowLimitRefusesRealTime(limit: String, isLow: Bool) {
        let found = findings(text("a", limit: limit))
        expectEqual(found.map(\.weight), (isLow ? [.fine, .note] : [.fine]))
    }

    @Test func onlyPanelsOfTheServicesFolderHaveAService() {
        expectEqual(
            PanelService.instance(ofPanel: "/etc/detent/lab-supply.yaml"), "detent@lab-supply")
        for path in [
            "/etc/detent/.yaml", "/etc/detent/sub/a.yaml", "/etc/detent/a b.yaml",
            "/etc/detent/$(x).yaml", "/srv/a.yaml", "/etc/detent/a.env", "/etc/detent/-é.yaml",
        ] {
            #expect(PanelService.instance(ofPanel: path) == nil, "\(path)")
        }
    }

    @Test func nonsenseNamesNoService() {
        #expect(PanelService.list("Failed to connect to bus\n\n=\nId=\n").isEmpty)
    }
}

/// The services of the panels of a machine, with the facts around them.
public struct ServiceCheck: Equatable, Sendable {
    /// The services, in the order of their names.
    public var services: [PanelService]
    /// The users of the services that exist on this machine, by name.
    public var users: [String: UserAccount]
    /// The groups that own the GPIO chips.
    public var chipGroups: Set<String>
    /// The lowest priority that `--realtime` needs.
    public var priority: UInt64

    /// Takes the facts as they are; nothing is checked here.
    public init(
        services: [PanelService], users: [String: UserAccount], chipGroups: Set<String>,
        priority: UInt64
    ) {
        self.services = services
        self.users = users
        self.chipGroups = chipGroups
        self.priority = priority
    }

    /// Each cause once; causes that all services share have one finding.
    public var findings: [Finding] {
        let installed = services.filter(\.isInstalled)
        var found: [Finding] = []
        if let missing = services.first(where: { !$0.isInstalled }) {
            found.append(
                .note(
                    "systemd does not know \(missing.name): the file of the service is missing",
                    "install the package of Detent, or run `sudo make install`"))
        }
        if installed.contains(where: \.isOutdated) {
            found.append(
                .note(
                    "systemd has not read the changed file of the service",
                    "run `sudo systemctl daemon-reload`"))
        }
        for user in Set(installed.map(\.user)).sorted() {
            found += account(user, installed.filter { $0.user == user })
        }
        for service in installed { found += [state(service)] + limit(service) }
        return found
    }

    private func state(_ service: PanelService) -> Finding {
        let name = service.name
        switch service.activity {
        case "failed":
            return .problem(
                "\(name) has failed (\(service.result))",
                "see `journalctl -u \(name) -n 20`; then run `sudo systemctl restart \(name)`")
        case "active", "reloading", "activating":
            guard service.isEnabled else {
                return .note(
                    "\(name) runs, but does not start with the machine",
                    "run `sudo systemctl enable \(name)`")
            }
            return .fine(
                "\(name) is enabled and \(service.activity), as the user \(service.user)")
        case _:
            guard service.isEnabled else {
                return .note(
                    "\(name) is not enabled and does not run",
                    "run `sudo systemctl enable --now \(name)`")
            }
            return .note(
                "\(name) is enabled, but does not run", "run `sudo systemctl start \(name)`")
        }
    }

    private func account(_ user: String, _ services: [PanelService]) -> [Finding] {
        guard let account = users[user] else {
            return [
                .problem(
                    "the user \(user) of \(services[0].name) does not exist",
                    "run `sudo systemd-sysusers`")
            ]
        }
        if account.isRoot { return [] }
        return chipGroups.sorted().compactMap { group in
            let lacking = services.first {
                !account.nextGroups.contains(group) && !$0.extraGroups.contains(group)
            }
            return lacking.map { service in
                .problem(
                    "the user \(user) of \(service.name) is not in the group \(group), which "
                        + "owns the GPIO chips",
                    "run `sudo usermod -aG \(group) \(user)`, then "
                        + "`sudo systemctl restart \(service.name)`")
            }
        }
    }

    private func limit(_ service: PanelService) -> [Finding] {
        guard service.user != "root", let limit = service.priorityLimit, limit < priority else {
            return []
        }
        return [
            .note(
                "\(service.name) has the real-time priority limit \(limit): --realtime is refused",
                "run `sudo systemctl edit \(service.name)`, and write `[Service]` and "
                    + "`LimitRTPRIO=45`")
        ]
    }

    /// Whether the services decide about `--realtime`, so that the limits of this login do not
    /// matter.
    public var decidesRealTime: Bool { services.contains(where: \.isInstalled) }
}

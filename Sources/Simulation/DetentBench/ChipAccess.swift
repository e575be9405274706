/// Which users can open the GPIO chips of this machine.
public struct ChipAccess: Equatable, Sendable {
    /// The device of a chip.
    public struct Device: Equatable, Sendable {
        /// The device node.
        public var path: String
        /// The group that can read and write it; nil if no group can, or only the group `root`.
        public var group: String?
        /// Whether this user was refused when `doctor` opened it.
        public var isRefused: Bool

        /// Takes a device as it is; nothing is checked here.
        public init(path: String, group: String?, isRefused: Bool) {
            self.path = path
            self.group = group
            self.isRefused = isRefused
        }
    }

    /// The devices in the order of their numbers.
    public var devices: [Device]
    /// The user of `doctor`.
    public var user: UserAccount
    /// The file of the udev rule of Detent; nil if it is not installed.
    public var rule: String?

    /// Takes the facts as they are; nothing is checked here.
    public init(devices: [Device], user: UserAccount, rule: String?) {
        self.devices = devices
        self.user = user
        self.rule = rule
    }

    /// Each cause once, with its devices.
    public var findings: [Finding] {
        guard !devices.isEmpty else { return [] }
        var found: [Finding] = []
        let refused = devices.filter(\.isRefused)
        let groups = Set(refused.compactMap(\.group)).sorted()
        for group in groups {
            found.append(refusal(group, refused.filter { $0.group == group }))
        }
        let groupless = devices.filter { $0.group == nil }
        if !groupless.isEmpty {
            let isRefused = groupless.contains(where: \.isRefused)
            found.append(
                Finding(
                    weight: isRefused ? .problem : .note,
                    text: rule.map {
                        "the udev rule \($0) was not applied to \(Self.list(groupless))"
                    } ?? "no group can open \(Self.list(groupless)): the udev rule is missing",
                    help: rule == nil ? Self.installation : Self.trigger))
        }
        if found.isEmpty { found.append(.fine(permission)) }
        return found
    }

    private var permission: String {
        let means =
            user.isRoot
            ? "is root"
            : "is in the group \(Set(devices.compactMap(\.group)).sorted().joined(separator: ", "))"
        return "\(user.name) can open the GPIO chips: the user \(means)"
    }

    private func refusal(_ group: String, _ devices: [Device]) -> Finding {
        if user.groups.contains(group) {
            return .problem(
                "\(Self.list(devices)): access is refused, although \(user.name) is in the group "
                    + group,
                "look at the permissions with `ls -l` and `getfacl`")
        }
        if user.nextGroups.contains(group) {
            return .problem(
                "\(user.name) is in the group \(group), but logged in before that: "
                    + "\(Self.list(devices)) cannot be opened",
                "log out and log in again")
        }
        return .problem(
            "\(user.name) is not in the group \(group): \(Self.list(devices)) cannot be opened",
            "run `sudo usermod -aG \(group) \(user.name)`, then log in again")
    }

    /// The first device, and how many more there are.
    private static func list(_ devices: [Device]) -> String {
        let first = devices.first?.path ?? ""
        return devices.count > 1 ? "\(first) and \(devices.count - 1) more" : first
    }

    static let trigger =
        "run `sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=gpio`"

    private static let installation =
        "install the package of Detent; or write the rule: `sudo groupadd -rf gpio && "
        + "echo 'SUBSYSTEM==\"gpio\", KERNEL==\"gpiochip*\", GROUP=\"gpio\", MODE=\"0660\"' | "
        + "sudo tee /etc/udev/rules.d/60-detent.rules && sudo udevadm control --reload && "
        + "sudo udevadm trigger --subsystem-match=gpio`"
}

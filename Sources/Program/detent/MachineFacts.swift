import DetentBench
import DetentCommand
import DetentGPIOD
import DetentPlatform
import Glibc

/// Reads what `detent doctor` has to know of this machine. Changes nothing.
enum MachineFacts {
    /// The versions of this machine and of this program.
    static var versions: MachineVersions {
        var name = utsname()
        uname(&name)
        let kernel = withUnsafeBytes(of: &name.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return MachineVersions(
            program: ProgramVersion.number, library: GPIODInventory.libraryVersion,
            interface: GPIODInventory.interface, kernel: kernel)
    }

    /// Which chips the user of this process can open.
    static func access(_ inventory: GPIODInventory) -> ChipAccess {
        let devices = inventory.chips.map { chip in
            let isOpen = chip.group != "root" && chip.mode & 0o060 == 0o060
            return ChipAccess.Device(
                path: chip.path, group: isOpen ? chip.group : nil,
                isRefused: chip.errno == EACCES)
        }
        return ChipAccess(devices: devices, user: user, rule: rule)
    }

    /// The services of one panel file, or of all panels in `/etc/detent`; none without systemd.
    static func services(ofPanel path: String?, chipGroups: Set<String>) -> ServiceCheck {
        let names =
            path.map { [wholePath($0)] }
            ?? files("/etc/detent").sorted().map { "/etc/detent/\($0)" }
        let services = describe(names.compactMap { PanelService.instance(ofPanel: $0) })
        var users: [String: UserAccount] = [:]
        for service in services { users[service.user] = account(named: service.user) }
        return ServiceCheck(
            services: services, users: users, chipGroups: chipGroups,
            priority: UInt64(RealTime.priorities.lowerBound))
    }

    /// The most services that are looked at; further ones are ignored.
    private static let servicesMax = 32

    /// Asks systemd. The names have only letters, digits and `@-_.:`.
    private static func describe(_ names: [String]) -> [PanelService] {
        guard !names.isEmpty, Glibc.access("/run/systemd/system", F_OK) == 0 else { return [] }
        let command =
            "exec timeout 10 systemctl show --property="
            + PanelService.properties.joined(separator: ",") + " "
            + names.prefix(servicesMax).joined(separator: " ") + " 2>/dev/null"
        guard let stream = popen(command, "r") else { return [] }
        defer { pclose(stream) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < 1 << 20 {
            let count = fread(&buffer, 1, buffer.count, stream)
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return PanelService.list(String(decoding: bytes, as: UTF8.self))
    }

    // MARK: Users

    /// The user of this process.
    private static var user: UserAccount {
        let id = geteuid()
        let name = getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? String(id)
        var groups = [gid_t](repeating: 0, count: 256)
        let count = max(Int(getgroups(Int32(groups.count), &groups)), 0)
        let names = (groups.prefix(count) + [getegid()]).map { groupName($0) }
        return UserAccount(
            name: name, isRoot: id == 0, groups: Set(names),
            nextGroups: account(named: name)?.nextGroups ?? Set(names))
    }

    /// A user of this machine; nil if there is none of this name.
    private static func account(named name: String) -> UserAccount? {
        guard let entry = getpwnam(name) else { return nil }
        let id = entry.pointee.pw_uid
        var groups = [gid_t](repeating: 0, count: 256)
        var count = Int32(groups.count)
        getgrouplist(name, entry.pointee.pw_gid, &groups, &count)
        let names = Set(groups.prefix(Int(min(count, 256))).map { groupName($0) })
        return UserAccount(name: name, isRoot: id == 0, groups: names, nextGroups: names)
    }

    private static func groupName(_ id: gid_t) -> String {
        getgrgid(id).map { String(cString: $0.pointee.gr_name) } ?? String(id)
    }

    // MARK: Files

    /// The udev rule of Detent; the folders are those of udev(7).
    private static var rule: String? {
        ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"]
            .map { "\($0)/udev/rules.d/60-detent.rules" }
            .first { Glibc.access($0, R_OK) == 0 }
    }

    /// A path from the root, without links; the path itself if there is no such file.
    static func wholePath(_ path: String) -> String {
        guard let whole = realpath(path, nil) else { return path }
        defer { free(whole) }
        return String(cString: whole)
    }

    /// The names in a folder; none if it cannot be read.
    static func files(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}

/// The service of one panel, `detent@NAME`, as systemd describes it.
public struct PanelService: Equatable, Sendable {
    /// The properties that `list` reads, for `systemctl show --property=…`.
    public static let properties = [
        "Id", "LoadState", "ActiveState", "UnitFileState", "Result", "User",
        "SupplementaryGroups", "LimitRTPRIO", "NeedDaemonReload",
    ]

    /// The name of the unit, such as `detent@lab-supply.service`.
    public var unit: String
    /// Whether systemd has found the file of the unit.
    public var isInstalled: Bool
    /// `active`, `inactive`, `failed`, and others.
    public var activity: String
    /// Why it failed, such as `exit-code`.
    public var result: String
    /// Whether it starts with the machine.
    public var isEnabled: Bool
    /// The user that it runs as.
    public var user: String
    /// Groups that it gets in addition to those of its user.
    public var extraGroups: Set<String>
    /// The highest real-time priority that it may use; nil if systemd did not say.
    public var priorityLimit: UInt64?
    /// Whether the file has changed since systemd read it.
    public var isOutdated: Bool

    /// Reads the lines of one unit; nil if they name no unit.
    private init?(properties lines: [Substring]) {
        var values: [String: String] = [:]
        for line in lines {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        guard let id = values["Id"], !id.isEmpty else { return nil }
        unit = id
        isInstalled = values["LoadState"] == "loaded"
        activity = values["ActiveState"] ?? ""
        result = values["Result"] ?? ""
        isEnabled = values["UnitFileState"]?.hasPrefix("enabled") ?? false
        let name = values["User"] ?? ""
        user = name.isEmpty ? "root" : name
        extraGroups = Set(
            (values["SupplementaryGroups"] ?? "").split(separator: " ").map(String.init))
        let limit = values["LimitRTPRIO"]
        priorityLimit = limit == "infinity" ? UInt64.max : limit.flatMap { UInt64($0) }
        isOutdated = values["NeedDaemonReload"] == "yes"
    }

    /// Reads the output of `systemctl show` for several units; an empty line separates them.
    public static func list(_ text: String) -> [PanelService] {
        var blocks: [[Substring]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { blocks.append([]) } else { blocks[blocks.count - 1].append(line) }
        }
        return blocks.compactMap { PanelService(properties: $0) }
    }

    /// The name of the unit without its ending.
    public var name: String {
        unit.hasSuffix(".service") ? String(unit.dropLast(".service".count)) : unit
    }

    /// The name of the instance that runs a panel file; nil if no service can run it.
    ///
    /// - Parameter path: the whole path of the file, without links.
    public static func instance(ofPanel path: String) -> String? {
        let folder = "/etc/detent/"
        guard path.hasPrefix(folder), path.hasSuffix(".yaml") else { return nil }
        let name = path.dropFirst(folder.count).dropLast(".yaml".count)
        let isPlain = name.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0))
        }
        return isPlain && !name.isEmpty && name.first != "." ? "detent@\(name)" : nil
    }
}

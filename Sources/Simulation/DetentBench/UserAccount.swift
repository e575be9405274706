/// A user, with the groups of its programs.
public struct UserAccount: Equatable, Sendable {
    /// The login name.
    public var name: String
    /// Whether it is root, who may use every device.
    public var isRoot: Bool
    /// The groups that its programs have now.
    public var groups: Set<String>
    /// The groups that its next login gets.
    public var nextGroups: Set<String>

    /// Takes an account as it is; nothing is checked here.
    public init(name: String, isRoot: Bool, groups: Set<String>, nextGroups: Set<String>) {
        self.name = name
        self.isRoot = isRoot
        self.groups = groups
        self.nextGroups = nextGroups
    }
}

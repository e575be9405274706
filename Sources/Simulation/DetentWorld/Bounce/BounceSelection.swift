/// A bounce profile as a file or a request names it.
public enum BounceSelection: Equatable, Sendable {
    /// A profile of simulator/bounce, or `none`.
    case named(String)
    /// The typical profile of each kind of part, when new.
    case typical
    case profile(BounceProfile)
    /// As at the start.
    case original

    /// Its name; empty for one without.
    public var name: String {
        switch self {
        case .named(let name): name
        case .typical: "typical"
        case .profile, .original: ""
        }
    }

    /// The profile; nil for `original`, and if there is no such profile.
    public var choice: BounceChoice? {
        switch self {
        case .named(let name): BounceCatalogue.builtIn.profile(named: name).profile.map { .all($0) }
        case .typical: BounceCatalogue.builtIn.typical
        case .profile(let profile): .all(profile)
        case .original: nil
        }
    }
}

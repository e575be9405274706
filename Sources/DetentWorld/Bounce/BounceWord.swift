import DetentTypes

/// How contacts bounce, as a file or a person says it.
public enum BounceWord: Equatable, Sendable {
    /// A profile of simulator/bounce, or `none`.
    case named(String)
    /// For each kind of part what a new one of it does.
    case typical
    case profile(BounceProfile)
    /// As at the start.
    case original

    /// What it means; nil as at the start, and where there is no such profile.
    public var choice: BounceChoice? {
        switch self {
        case .named(let name): BounceCatalogue.builtIn.profile(named: name).profile.map { .all($0) }
        case .typical: BounceCatalogue.builtIn.typical
        case .profile(let profile): .all(profile)
        case .original: nil
        }
    }
}

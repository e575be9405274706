import DetentPanel
import DetentTypes

/// Reads the lists `closing` and `opening` of a profile that was fitted to a recording.
enum MeasuredBounceReader {
    private static let keys = ["share", "lengths", "pulses", "widths"]
    private static let times = TimeSpan.nanoseconds(1)...TimeSpan.seconds(1)

    /// One list; nil if it has problems.
    static func bounce(_ node: YAMLNode, _ log: ProblemLog, _ name: String) -> MeasuredBounce? {
        guard let items = node.items else {
            return log.refuse(
                .wrongType, at: node.place, "`\(name)` must be a list, not \(node.form)",
                help: "write `\(name): []` for a contact that never bounces")
        }
        guard items.count <= WorldLimits.bounceClasses else {
            return log.refuse(
                .outOfRange, at: node.place,
                "`\(name)` has \(items.count) classes of bounces",
                help: "at most \(WorldLimits.bounceClasses)")
        }
        var classes: [MeasuredBounce.Class] = []
        for item in items {
            guard let bounce = one(item, log) else { return nil }
            classes.append(bounce)
        }
        let sum = classes.reduce(0) { $0 + Int($1.share) }
        guard classes.isEmpty || sum == 100 else {
            return log.refuse(
                .outOfRange, at: node.place, "the shares of `\(name)` add up to \(sum)",
                help: "they are percents, and must add up to 100")
        }
        return MeasuredBounce(classes)
    }

    private static func one(_ node: YAMLNode, _ log: ProblemLog) -> MeasuredBounce.Class? {
        guard node.hasOnly(keys, log, in: "a class of bounces") else { return nil }
        for key in keys where node[key] == nil {
            return log.refuse(
                .missingKey, at: node.place, "the class of bounces has no `\(key)`",
                help: "keys: \(keys.joined(separator: ", "))")
        }
        guard let share = node["share"]?.integer(in: 1...100, log, "share"),
            let lengths = marks(node["lengths"], log, "lengths"),
            let pulses = pulses(node["pulses"], log),
            let widths = marks(node["widths"], log, "widths")
        else { return nil }
        return MeasuredBounce.Class(
            share: UInt8(share), lengths: lengths, pulses: pulses, widths: widths)
    }

    /// A time for each mark; they never fall.
    private static func marks(
        _ node: YAMLNode?, _ log: ProblemLog, _ name: String
    ) -> [TimeSpan]? {
        guard let node else { return nil }
        let wanted = MeasuredBounce.marks
        let help =
            "the times that \(wanted.map { "\($0)" }.joined(separator: ", ")) percent do not exceed"
        guard let items = node.items, items.count == wanted.count else {
            return log.refuse(
                .wrongType, at: node.place, "`\(name)` must be a list of \(wanted.count) times",
                help: help)
        }
        var found: [TimeSpan] = []
        for item in items {
            guard let time = item.duration(in: times, log, name) else { return nil }
            guard time >= found.last ?? .zero else {
                return log.refuse(
                    .outOfRange, at: item.place,
                    "`\(name)`: \(DurationText.text(time)) is less than the time before it",
                    help: help)
            }
            found.append(time)
        }
        return found
    }

    private static func pulses(_ node: YAMLNode?, _ log: ProblemLog) -> [UInt8]? {
        guard let node else { return nil }
        guard let items = node.items, (1...WorldLimits.pulses).contains(items.count) else {
            return log.refuse(
                .wrongType, at: node.place,
                "`pulses` must be a list of 1 to \(WorldLimits.pulses) numbers",
                help: "numbers of pulses, each as likely as the others")
        }
        var found: [UInt8] = []
        for item in items {
            let number = item.integer(in: 1...WorldLimits.pulses, log, "pulses")
            guard let number else { return nil }
            found.append(UInt8(number))
        }
        return found
    }
}

import DetentCore
import DetentTypes

extension ControlDraft {
    /// How the contacts of this control are debounced; `default` is that of the kind.
    func debounce(default ofKind: DebounceSettings) -> DebounceSettings {
        guard let node = self["debounce"] else { return ofKind }
        if node.text == "none" { return .none }
        if let time = node.durationValue { return ofKind.with(time: time, at: node, log) }
        guard let entries = node.entries else { return ofKind }
        let name = node["algorithm"]?.text ?? ofKind.algorithm.word
        for entry in entries where !Self.keys(of: name).contains(entry.name) {
            guard schema.key(entry.name, in: .debounce) != nil else { continue }
            log.error(
                .keyNotForAlgorithm, at: entry.key.place,
                "`\(entry.name)` is not a valid key for the algorithm `\(quoted(name))`",
                help: "its keys: \(Self.keys(of: name).joined(separator: ", "))")
        }
        let isKept = node["algorithm"] == nil
        var settings = isKept ? ofKind : DebounceSettings()
        settings.algorithm = algorithm(name, node, kept: isKept ? ofKind.algorithm : nil)
        settings.glitch = node["glitch"]?.durationValue ?? settings.glitch
        settings.lockout = node["lockout"]?.durationValue ?? settings.lockout
        return settings
    }

    private static func keys(of algorithm: String) -> [String] {
        let common = ["algorithm", "glitch", "lockout"]
        switch algorithm {
        case "eager": return common + ["time", "window"]
        case "defer": return common + ["time"]
        case "asymmetric": return common + ["press", "release"]
        case "integrator": return common + ["time", "sample"]
        default: return common
        }
    }

    private func algorithm(
        _ name: String, _ node: YAMLNode, kept: DebounceSettings.Algorithm?
    ) -> DebounceSettings.Algorithm {
        let time = node["time"]?.durationValue ?? kept?.time
        switch name {
        case "eager":
            return .eager(
                time: time ?? Defaults.eagerTime,
                window: DebounceSettings.EagerWindow(word: node["window"]?.text) ?? Defaults.window)
        case "defer":
            return .defer(time: time ?? Defaults.deferTime)
        case "asymmetric":
            return .asymmetric(
                press: node["press"]?.durationValue ?? Defaults.asymmetricTime,
                release: node["release"]?.durationValue ?? Defaults.asymmetricTime)
        case "integrator":
            return integrator(time ?? Defaults.integratorTime, node)
        default:
            return .none
        }
    }

    private func integrator(_ time: TimeSpan, _ node: YAMLNode) -> DebounceSettings.Algorithm {
        let sample = node["sample"]?.durationValue ?? Defaults.integratorSample
        let samples = time.nanoseconds / max(1, sample.nanoseconds)
        if samples > UInt64(UInt16.max) {
            log.error(
                .outOfRange, at: node["sample"]?.place ?? node.place,
                "`integrator` would count \(samples) samples, and the limit is \(UInt16.max)",
                help: "sample less often, or shorten the time")
        }
        return .integrator(sample: sample, samples: UInt16(clamping: max(1, samples)))
    }
}

extension DebounceSettings {
    /// The same algorithm with another time.
    fileprivate func with(
        time: TimeSpan, at node: YAMLNode, _ log: ProblemLog
    ) -> DebounceSettings {
        var settings = self
        switch algorithm {
        case .none:
            log.error(
                .missingKey, at: node.place,
                "a bare time has no effect: these contacts have no debounce algorithm by default",
                help:
                    "write `settle: \(quoted(node.text ?? ""))`, or `debounce: {algorithm: defer, "
                    + "time: \(quoted(node.text ?? ""))}`")
        case .eager(_, let window):
            settings.algorithm = .eager(time: time, window: window)
        case .defer:
            settings.algorithm = .defer(time: time)
        case .asymmetric(let press, _):
            settings.algorithm = .asymmetric(press: press, release: time)
        case .integrator(let sample, _):
            let samples = time.nanoseconds / max(1, sample.nanoseconds)
            settings.algorithm = .integrator(
                sample: sample, samples: UInt16(clamping: max(1, samples)))
        }
        return settings
    }
}

extension DebounceSettings.Algorithm {
    /// The word in panel files.
    var word: String {
        switch self {
        case .none: "none"
        case .eager: "eager"
        case .defer: "defer"
        case .asymmetric: "asymmetric"
        case .integrator: "integrator"
        }
    }

    /// The time of the key `time`; nil if the algorithm has no such key.
    var time: TimeSpan? {
        switch self {
        case .none, .asymmetric: nil
        case .eager(let time, _), .defer(let time): time
        case .integrator(let sample, let samples): sample * UInt64(samples)
        }
    }
}

/// What event lines tell of each control.
struct Told {
    /// One control.
    struct Control {
        /// The values of its changes.
        var changes: [Bool] = []
        /// How often it has told lost edges.
        var losses = 0

        /// Whether every change is one, from a value on.
        func alternates(from before: Bool) -> Bool {
            changes.indices.allSatisfy { changes[$0] == (before != ($0 % 2 == 0)) }
        }
    }

    private var controls: [String: Control] = [:]

    init(_ events: [String]) {
        for event in events {
            // {"at": 0, "control": "power", "event": "changed", "value": "on", …
            let words = event.split(separator: "\"")
            guard words.count > 9, words[3] == "control" else { continue }
            let name = String(words[5])
            switch words[9] {
            case "changed": controls[name, default: Control()].changes.append(words[13] == "on")
            case "lost": controls[name, default: Control()].losses += 1
            default: break
            }
        }
    }

    subscript(name: String) -> Control { controls[name] ?? Control() }
}

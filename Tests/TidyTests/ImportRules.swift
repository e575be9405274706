/// Which room may import which: the arrows of the house.
///
/// A room is a folder of Sources; each stands here once. To add an arrow, write down in
/// docs/decisions why.
struct ImportRules {
    let room: String
    /// What it may import besides the system's libraries.
    let rooms: Set<String>
    /// What it may import of the system.
    let system: Set<String>

    init(_ room: String, _ rooms: Set<String>, system: Set<String> = ["Glibc", "Synchronization"]) {
        self.room = room
        self.rooms = rooms
        self.system = system
    }

    static let all: [ImportRules] = [
        // Embedded Swift, for microcontrollers and browsers too: nothing of an operating system.
        ImportRules("DetentTypes", [], system: []),
        ImportRules("DetentCore", ["DetentTypes"], system: []),
        ImportRules("DetentPlatform", ["DetentTypes", "CPlatform"]),
        ImportRules("DetentHAL", ["DetentTypes"]),
        ImportRules("DetentGPIOD", ["DetentTypes", "DetentPlatform", "DetentHAL", "CGPIOD"]),
        // Lines that other devices of the kernel make.
        ImportRules("DetentDevices", ["DetentTypes", "DetentPlatform", "DetentHAL", "CInput"]),
        // The first process of a panel: it imports nothing that could fail.
        ImportRules("DetentGuardian", ["DetentTypes", "DetentPlatform", "CGuardian"]),
        ImportRules(
            "DetentPanel",
            ["DetentTypes", "DetentCore", "DetentHAL", "CYAML", "CBoards", "CRules", "CInput"]),
        // The plate: where parts are, and the drilling template.
        ImportRules("DetentFace", ["DetentTypes", "DetentCore", "DetentPanel"], system: []),
        ImportRules(
            "DetentWorld",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "CBounce",
            ]),
        ImportRules("DetentTrace", ["DetentTypes", "CZlib"]),
        ImportRules(
            "DetentActions",
            ["DetentTypes", "DetentPlatform", "CInput", "CPlatform", "CProcess"]),
        // Values and events in a database; the library is loaded when it is needed.
        ImportRules("DetentHistory", ["DetentTypes", "CSQLite"]),
        ImportRules(
            "DetentRuntime",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "DetentActions", "DetentTrace", "DetentHistory",
            ]),
        // Scenarios, in virtual time and on gpio-sim's lines: the world meets the loop's turn.
        ImportRules(
            "DetentScenario",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "DetentWorld", "DetentActions", "DetentTrace", "DetentRuntime",
            ]),
        // Random users against the laws: it knows the engine by its reports alone.
        ImportRules(
            "DetentSoak",
            [
                "DetentTypes", "DetentCore", "DetentHAL", "DetentPanel", "DetentWorld",
                "DetentScenario",
            ],
            system: []),
        // A panel on the desk: virtual time, paced by a clock.
        ImportRules(
            "DetentSimulator",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "DetentWorld", "DetentActions", "DetentTrace", "DetentRuntime", "DetentScenario",
            ]),
        // The processes beside a panel: how they are kept, and all that they and their panel say.
        ImportRules(
            "DetentWall",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentActions",
                "DetentRuntime", "CInput", "CWall",
            ]),
        // The world gives it the words of a simulated panel.
        ImportRules(
            "DetentServer",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentFace",
                "DetentWorld", "DetentRuntime", "DetentWall",
                "CWall", "CPage", "CZlib", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket",
            ]),
        // The connection to a broker.
        ImportRules(
            "DetentMQTT",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentActions",
                "DetentRuntime", "DetentWall", "CWall", "CMosquitto",
            ]),
        // The words of files for editors: what the readers of panels and scenarios say of them.
        ImportRules(
            "DetentLanguage", ["DetentTypes", "DetentPanel", "DetentWorld", "DetentScenario"]),
        // Simulated panels in one process, each with a connection to a real broker.
        ImportRules(
            "DetentFleet",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentWorld",
                "DetentRuntime", "DetentScenario", "DetentMQTT",
            ]),
        // An owner's first hour: a first panel, the bounce meter, the classifier of parts.
        ImportRules(
            "DetentBench", ["DetentTypes", "DetentPanel", "DetentWorld"], system: []),
        // What `detent get`, `set` and `watch` speak to a daemon with.
        ImportRules(
            "DetentClient",
            [
                "DetentTypes", "DetentPlatform", "DetentPanel", "NIOCore", "NIOPosix",
                "NIOHTTP1", "NIOWebSocket",
            ]),
        ImportRules(
            "detent",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentGPIOD",
                "DetentDevices", "DetentGuardian", "DetentWorld", "DetentScenario", "DetentTrace",
                "DetentPanel",
                "DetentActions",
                "DetentRuntime", "DetentWall", "DetentServer", "DetentSimulator", "DetentClient",
                "DetentFace", "DetentBench", "DetentHistory", "DetentMQTT", "DetentCommand",
                "DetentLanguage",
                "ArgumentParser",
            ]),
        // What the program and the tools of developers have in common: errors, files, streams.
        ImportRules(
            "DetentCommand",
            ["DetentTypes", "DetentPlatform", "DetentPanel", "CCommit", "ArgumentParser"]),
        // The tools of developers.
        ImportRules(
            "detent-lab",
            [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentScenario",
                "DetentSoak", "DetentFleet", "DetentCommand", "ArgumentParser",
            ]),
    ]

    /// Every import of a file of Sources that its room must not have, with place and reason.
    static func violations(_ file: SourceFile) -> [String] {
        guard file.path.hasPrefix("Sources/"), !file.code.isEmpty else { return [] }
        guard let rules = all.first(where: { $0.room == file.room }) else {
            return ["\(file.path): the room \(file.room) has no line in ImportRules"]
        }
        return imports(file).compactMap { index, module in
            if rules.rooms.contains(module) || rules.system.contains(module) { return nil }
            let may = rules.rooms.union(rules.system).sorted().joined(separator: ", ")
            return "\(file.place(index)): \(rules.room) imports \(module); "
                + "it may import \(may.isEmpty ? "nothing" : may)"
        }
    }

    /// The modules that a file imports, with their lines.
    static func imports(_ file: SourceFile) -> [(index: Int, module: String)] {
        file.code.enumerated().compactMap { index, line in
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
                words[..<place].allSatisfy({ $0.hasPrefix("@") || levels.contains(String($0)) })
            else { return nil }
            let name = kinds.contains(String(words[place + 1])) ? words.last : words[place + 1]
            return (index, String(name?.split(separator: ".").first ?? ""))
        }
    }

    private static let levels: Set = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set = [
        "struct", "class", "enum", "protocol", "func", "let", "var", "typealias",
    ]
}

import Glibc
import TestSupport
import Testing

/// Commands that follow the help of a refused command get what was asked for.
@Suite struct CommandRemedyTests {
    struct Way: CustomTestStringConvertible, Sendable {
        /// A command that is refused, by its words; `DIR` is a folder with the files of `folder()`.
        var refused: String
        /// What its help says, of which `followed` is made.
        var says: String
        var followed: String

        var testDescription: String { refused }
    }

    static let ways: [Way] = [
        Way(refused: "chekc DIR/p.yaml", says: "did you mean `", followed: "check DIR/p.yaml"),
        Way(refused: "check DIR/q.yaml", says: "check the path", followed: "check DIR/p.yaml"),
        Way(
            refused: "test DIR/q.yaml", says: "check the path", followed: "test DIR/s.scenario.yaml"
        ),
        Way(
            refused: "replay DIR/broken.yaml DIR/c.csv", says: "fix the problems listed above",
            followed: "replay DIR/p.yaml DIR/c.csv --map X=I1"),
        Way(
            refused: "replay DIR/p.yaml DIR/c.csv", says: "use --map NAME=LINE",
            followed: "replay DIR/p.yaml DIR/c.csv --map X=I1"),
        Way(
            refused: "replay DIR/p.yaml DIR/c.csv --map X", says: "write, for example, --map",
            followed: "replay DIR/p.yaml DIR/c.csv --map X=I1"),
        Way(
            refused: "replay DIR/p.yaml DIR/c.csv --map X=I1 --until 5", says: "write one such as",
            followed: "replay DIR/p.yaml DIR/c.csv --map X=I1 --until 2s"),
        Way(
            refused: "replay DIR/p.yaml DIR/none.csv",
            says: "record digital channels: each wire of one bit is a line",
            followed: "replay DIR/p.yaml DIR/c.csv --map X=I1"),
        Way(
            refused: "replay DIR/p.yaml DIR/c.csv --map X=I1 --trace /nonexistent/t.vcd",
            says: "create the directory first",
            followed: "replay DIR/p.yaml DIR/c.csv --map X=I1 --trace DIR/t.vcd"),
        Way(
            refused: "measure DIR/c.csv Y", says: "one of: ", followed: "measure DIR/long.csv X"),
        Way(
            refused: "identify DIR/none.csv",
            says: "record a press, a flip or a turn, with a second of rest after it",
            followed: "identify DIR/long.csv"),
        Way(
            refused: "identify DIR/long.csv --write DIR/list.yaml",
            says: "or give the name of a new file",
            followed: "identify DIR/long.csv --write DIR/new.yaml"),
        Way(
            refused: "check DIR/p.yaml DIR/q.yaml --print", says: "name one file",
            followed: "check DIR/p.yaml --print"),
        Way(
            refused: "identify DIR/long.csv --write /tmp",
            says: "name a readable file", followed: "identify DIR/long.csv --write DIR/p.yaml"),
        Way(
            refused: "boards raspberry-pi-55", says: "did you mean `",
            followed: "boards raspberry-pi-5"),
        Way(refused: "boards xyzzy", says: "`detent boards` lists all", followed: "boards"),
        Way(
            refused: "new DIR/n.yaml --board xyzzy", says: "give one with --board; `detent boards`",
            followed: "new DIR/n.yaml --board raspberry-pi-5"),
        Way(
            refused: "new DIR/p.yaml --board raspberry-pi-5", says: "give another name",
            followed: "new DIR/other.yaml --board raspberry-pi-5"),
        Way(
            refused: "new /nonexistent/p.yaml --board raspberry-pi-5",
            says: "name a file in a folder that you can write to",
            followed: "new DIR/third.yaml --board raspberry-pi-5"),
        Way(
            refused: "test DIR/s.scenario.yaml --junit /nonexistent/j.xml",
            says: "name a file in a writable folder",
            followed: "test DIR/s.scenario.yaml --junit DIR/j.xml"),
        Way(
            refused: "history DIR/p.yaml --state-dir DIR/none",
            says: "name the folder of the values with --state-dir",
            followed: "history DIR/p.yaml --state-dir DIR"),
        Way(
            refused: "history DIR/junk.yaml --state-dir DIR",
            says: "name the folder of the values with --state-dir",
            followed: "history DIR/p.yaml --state-dir DIR"),
        Way(
            refused: "history DIR/p.yaml --state-dir DIR --since maybe",
            says: "write a time ago such as 2h",
            followed: "history DIR/p.yaml --state-dir DIR --since 2h"),
        Way(
            refused: "history DIR/p.yaml --state-dir DIR --since maybe",
            says: "a time such as 2026-11-22T21:30",
            followed: "history DIR/p.yaml --state-dir DIR --since 2026-11-22T21:30"),
        Way(
            refused: "history DIR/p.yaml --state-dir DIR --control fna",
            says: "did you mean `fan`?",
            followed: "history DIR/p.yaml --state-dir DIR --control fan"),
        Way(
            refused: "history DIR/p.yaml --state-dir DIR --control xyzzy", says: "it has: ",
            followed: "history DIR/p.yaml --state-dir DIR --control hoist"),
        Way(
            refused: "history --event changed", says: "add one, as in `detent history",
            followed: "history DIR/p.yaml --state-dir DIR --event changed"),
        Way(
            refused: "history --since 2h", says: "add the panel file to use a time",
            followed: "history DIR/p.yaml --state-dir DIR --since 2h"),
        Way(
            refused: "measure DIR/p.yaml xyzzy", says: "name a line of the panel, or one of: ",
            followed: "check DIR/p.yaml"),
        Way(
            refused: "sim DIR/p.yaml --bounce xyzzy --listen off", says: "one of: none, typical",
            followed: "sim DIR/p.yaml --bounce typical --listen off"),
        Way(
            refused: "sim DIR/p.yaml --bounce DIR/nope.yaml --listen off",
            says: "give a file that `detent measure --profile` wrote",
            followed: "sim DIR/p.yaml --bounce worn --listen off"),
        Way(
            refused: "sim DIR/p.yaml --bounce DIR/bad-profile.yaml --listen off",
            says: "fix the problems listed above",
            followed: "sim DIR/p.yaml --bounce none --listen off"),
        Way(
            refused: "sim DIR/p.yaml --takes 5 --listen off", says: "write one such as 2s, 80ms",
            followed: "sim DIR/p.yaml --takes 80ms --listen off"),
    ]

    /// Help that needs a board, a hand, another user or time, with what follows it instead.
    private static let elsewhere: [String] = [
        // The kernel tests, on lines of gpio-sim.
        "see the reasons above; stop the panel that uses them", "`detent doctor` says why",
        "give an offset from 0 to ", "this machine shows no GPIO chip", "name one line: ",
        "name the lines to record, such as", "give one with -o, such as -o session.csv",
        "record fewer lines, or less noise", "stop other programs and measure again",
        "name a chip, such as `detent identify gpiochip0`",
        "check that the contact connects its pin to ground",
        "turn it from one end to the other; `detent identify`",
        // MachineTests, with a lamp in place of those of the machine.
        "write it into the panel file, such as `indicator: ",
        // RemoteTests, ReloadTests, StateTests and DaemonTests, with a panel that runs.
        "add --confirm to confirm", "name the file that `detent run` was started with",
        "start it with `detent run ", "run `detent reload` as root or as the user of the panel",
        "run this command as the user of the panel", "stop \\(who), or use another folder",
        "use a time from ", "restart the panel", "make it smaller",
        "free some space, or write somewhere else", "set an earlier end with --until",
        // Tests/Browser/test_file.py.
        "load it; undo brings your text back", "give it to the user who runs the simulator",
        // Tests/Editors.
        "an editor starts this command",
        "write the file by hand; `detent boards",
    ]

    private static let panel = """
        panel: P
        board: none
        controls:
          fan: {kind: switch, label: Fan, input: I1}
          hoist: {kind: three-way, label: Hoist, lever: {up: U, down: D}}

        """

    /// A folder with everything that the commands name, and the history of a panel.
    private static func folder() throws -> Folder {
        let folder = Folder()
        let head = "t_ns,line,value\n"
        let files = [
            "p.yaml": panel, "junk.yaml": panel.replacing("panel: P", with: "panel: Junk"),
            "Junk.history": "no database, but a few letters", "list.yaml": "- a\n",
            "broken.yaml": "panel: P\nboard: none\ncontrols: 5\n",
            "bad-profile.yaml": "closes: 5\n", "none.csv": head,
            "s.scenario.yaml": "panel: p.yaml\nsteps:\n- flip: {fan: on}\n- expect: {fan: on}\n",
            "c.csv": head + "0,X,1\n5000000,X,0\n",
            "long.csv": head + "0,X,1\n1000000000,X,0\n1200000000,X,1\n9000000000,X,1\n",
        ]
        for (name, text) in files { folder.write(text, to: name) }
        let daemon = try ServedDaemon(panel, ["--state-dir", folder.path])
        for value in ["on", "off"] {
            expectEqual(Program.run("set", "fan", value, "--url", daemon.url).code, 0)
        }
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
        return folder
    }

    @Test func whatTheHelpSaysIsDone() throws {
        let folder = try Self.folder()
        func run(_ words: String) -> Program.Result {
            Program.run(
                words.split(separator: " ").map { String($0).replacing("DIR", with: folder.path) })
        }
        for way in Self.ways {
            let refused = run(way.refused)
            let said = refused.output + refused.errors
            #expect(refused.code == 1 || refused.code == 2, "\(way): \(refused)")
            #expect(
                said.split(separator: "\n").contains {
                    $0.hasPrefix("help: ") && $0.contains(way.says)
                }, "\(way): \(said)")
            let followed = run(way.followed)
            expectEqual(followed.code, 0, "\(way), followed: \(followed)")
        }
    }

    /// A new error of a command has a row here.
    @Test func everyHelpOfACommandIsKnown() throws {
        let known = Self.ways.map(\.says) + Self.elsewhere
        var found = 0
        for text in Self.remedies() {
            found += 1
            #expect(known.contains { text.contains($0) }, "no row for: \(text)")
        }
        #expect(found > 40, "the sources were read")
    }

    /// What follows each `remedy:` in the sources of the commands: three lines, in one.
    private static func remedies() -> [String] {
        let folders =
            "\(Program.root)/Sources/Program/detent \(Program.root)/Sources/Program/DetentCommand"
        guard let pipe = popen("grep -rhE -A3 'remedy: *[^,]' \(folders)", "r") else { return [] }
        defer { pclose(pipe) }
        var lines: [String] = []
        var buffer = [CChar](repeating: 0, count: 4_096)
        while fgets(&buffer, Int32(buffer.count), pipe) != nil {
            lines.append(
                String(
                    decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            )
        }
        return lines.indices.compactMap { place in
            guard let start = lines[place].firstRange(of: "remedy:")?.upperBound else { return nil }
            let first = lines[place][start...]
            // A type, or what a library says of each of its errors.
            let isForwarded = ["String", ".remedy", "remedy)", "remedy("].contains {
                first.contains($0)
            }
            guard !isForwarded else { return nil }
            return String(first) + lines[place...].dropFirst().prefix(3).joined()
        }
    }
}

import ArgumentParser
import DetentClient
import DetentCommand
import DetentPanel
import DetentTypes

/// `detent get`: the values of a running panel.
struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the values of a running panel.",
        discussion: """
            Example:  detent get output

            Prints the value of one control, or of all controls, one per line.
            --json prints the full state.
            Exit codes: 0 done, 1 unknown control, 4 cannot reach the daemon.
            """)

    @Argument(help: "Control to show (default: all).")
    var control: String?

    @Flag(help: "Print the full state as JSON (see docs/http.md).")
    var json = false

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        let panel = try remote.client().ask("GET", "/api/v1/panel", for: .panel)
        var board = PanelStateModel()
        guard case .object(let members) = panel else { throw unexpectedResponse }
        let snapshot = JSONValue.object([("type", .string("snapshot"))] + members)
        guard board.receive(Array(snapshot.line.utf8)) == .all else { throw unexpectedResponse }
        guard let control else { return try show(board.rows, panel["state"]) }
        guard let row = board.rows.first(where: { $0.id == control }) else {
            throw Failure(
                code: .failed, cause: "the panel has no control `\(control)`",
                remedy: didYouMean(control, among: board.rows.map(\.id))
                    + "it has: " + board.rows.map(\.id).joined(separator: ", "))
        }
        let state = panel["state"]?[control] ?? .null
        try StandardOutput.writeOrFail((json ? state.line : row.word) + "\n")
    }

    private func show(_ rows: [PanelStateModel.Row], _ state: JSONValue?) throws {
        if json { return try StandardOutput.writeOrFail((state ?? .null).line + "\n") }
        let screen = PanelScreen(hasColors: false)
        try StandardOutput.writeOrFail(rows.map { screen.line($0) + "\n" }.joined())
    }

    private var unexpectedResponse: ClientError {
        .unexpectedResponse("unexpected response: not a Detent panel")
    }
}

/// `detent set`: sets a control of a running panel.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a control of a running panel.",
        discussion: """
            Example:  detent set output on

            Fire a button: `detent set calibrate press`; a menu item: `detent set menu Reboot`.
            Join several values with +: `detent set films IR+UV`; or write `none`.
            From the value that is shown: `toggle`, `next`, `previous`, or a number to add:
            `detent set level --by -5`.
            Destructive controls require --confirm.
            Exit codes: 0 accepted, 1 refused, 4 cannot reach the daemon.
            """)

    @Argument(help: "The control.")
    var control: String

    @Argument(help: "A word, an option, or a number.")
    var value: String?

    @Option(parsing: .unconditional, help: "Add this to the number that is shown.")
    var by: String?

    @Flag(help: "Confirm a destructive control.")
    var confirm = false

    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        guard (value == nil) == (by == nil) else { return }
        throw ValidationError(
            value == nil ? "write a value, or --by NUMBER" : "write a value or --by, not both")
    }

    func run() throws {
        let client = try remote.client()
        let path = "/api/v1/controls/\(control.percentEncoded(except: "-_."))"
        var answer = try ask(client, path, token: nil)
        if answer.status == 409, let token = answer.confirmToken {
            guard confirm else {
                throw Failure(
                    code: .failed, cause: "\(control) is destructive and was not fired",
                    remedy: "add --confirm to confirm")
            }
            answer = try ask(client, path, token: token)
        }
        _ = try client.document(answer, .change(control: control))
    }

    /// A change is not repeated, unlike a value: only the daemon knows whether `next` is one.
    private func ask(
        _ client: DaemonClient, _ path: String, token: String?
    ) throws -> DaemonClient.Answer {
        var members = [by.map { ("by", JSONValue.string($0)) } ?? ("value", .string(value ?? ""))]
        if let token { members.append(("confirm", .string(token))) }
        let body = Array(JSONValue.object(members).line.utf8)
        return try client.request("PATCH", path, body: body)
    }
}

/// `detent resync`: sets levers and selectors to their positions.
struct ResyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resync", abstract: "Set values to the positions of levers and selectors.",
        discussion: """
            Example:  detent resync

            No gesture events are generated. Exit codes: 0 done, 4 cannot reach the daemon.
            """)

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        _ = try remote.client().ask("POST", "/api/v1/resync", .object([]), for: .resync)
    }
}

/// `detent lamp-test`: turns all lamps on, until it is turned off.
struct LampTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lamp-test", abstract: "Turn the lamp test of a running panel on or off.",
        discussion: """
            Example:  detent lamp-test on; sleep 5; detent lamp-test off

            Outputs and values do not change. Exit codes: 0 done, 4 cannot reach the daemon.
            """)

    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @Argument(help: "on or off.")
    var choice: Choice

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        let body = JSONValue.object([("on", .bool(choice == .on))])
        _ = try remote.client().ask(
            "POST", "/api/v1/lamp-test", body, for: .lampTest(isOn: choice == .on))
    }
}

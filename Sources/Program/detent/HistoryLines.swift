import DetentHistory
import DetentPanel
import DetentTypes
import Glibc

/// Prints events of a history in one of its formats.
struct HistoryLines {
    private let format: HistoryCommand.Format
    private let text: EventText

    init(_ plan: PanelPlan, _ format: HistoryCommand.Format) {
        self.format = format
        text = EventText(plan: plan)
    }

    /// What is printed before the events.
    var head: String {
        switch format {
        case .csv: "number,time,control,event,detail,origin\n"
        case .text, .json: ""
        }
    }

    /// One event, with its line feed.
    func line(_ row: HistoryRow) -> String {
        let members = Self.members(row)
        switch format {
        case .json:
            let head: [(String, JSONValue)] = [
                ("seq", .integer(row.number)),
                ("time", .string(TimeOption.text(row.milliseconds, isUTC: true))),
            ]
            return JSONValue.object(head + members).line + "\n"
        case .text:
            let time = TimeOption.text(row.milliseconds, isUTC: false)
            return text.line(.object(members), time: time) + "\n"
        case .csv:
            let known: Set = ["at", "control", "event", "origin"]
            let detail = members.filter { !known.contains($0.0) }
                .map { "\($0.0)=\($0.1.text ?? $0.1.line)" }.joined(separator: " ")
            let origin = members.first { $0.0 == "origin" }?.1.text ?? ""
            let fields = [
                String(row.number), TimeOption.text(row.milliseconds, isUTC: true), row.control,
                row.event, detail, origin,
            ]
            return fields.map(Self.quoted).joined(separator: ",") + "\n"
        }
    }

    /// The members of the event. A line that is not JSON was not written by Detent; its columns
    /// still tell what happened.
    private static func members(_ row: HistoryRow) -> [(String, JSONValue)] {
        if let value = try? JSONReader.read(Array(row.line.utf8)),
            case .object(let members) = value
        {
            return members
        }
        return [("control", .string(row.control)), ("event", .string(row.event))]
    }

    /// A field of CSV, by RFC 4180. A database that someone has changed may hold anything, and a
    /// terminal obeys nothing of it.
    private static func quoted(_ field: String) -> String {
        let field = PrintableText.text(field)
        let isPlain = field.utf8.allSatisfy { ![0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return isPlain ? field : "\"" + field.replacing("\"", with: "\"\"") + "\""
    }
}

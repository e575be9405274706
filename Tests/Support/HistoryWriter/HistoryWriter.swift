import DetentHistory
import Glibc

/// Writes numbers into a history until it is killed: `detent-history-writer FILE`.
///
/// Each number is the value of `c` and an event. It is printed when its write has returned.
@main
enum HistoryWriter {
    static func main() throws {
        let database = try HistoryDatabase(CommandLine.arguments[1], panel: "Kills", rows: 200)
        var number = database.values.first.flatMap { Int($0.word) } ?? 0
        while true {
            number += 1
            let row = HistoryRow(
                milliseconds: Int64(number), control: "c", event: "changed", line: "\(number)")
            try database.write(
                values: [HistoryDatabase.Value(control: "c", word: "\(number)")], rows: [row],
                survives: number % 4 == 0)
            let line = Array("\(number)\n".utf8)
            guard write(STDOUT_FILENO, line, line.count) == line.count else { return }
        }
    }
}

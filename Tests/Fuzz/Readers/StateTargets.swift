import DetentHistory
import DetentTypes
import Glibc

@testable import DetentPanel
@testable import DetentRuntime

/// The file of saved values, and that of the guardian: what is read can be saved, and is then the
/// same.
///
/// The file ends with a checksum, which no damaged one has. An input is also read with the sum that
/// it should have.
struct StateTarget: FuzzTarget {
    let plan: PanelPlan

    let words =
        numbers + [
            "detent-state 1\n", "panel: ", "output: ", "set-point: ", "sum: ", "on", "off", ": ",
            "9.5", "-0.5", "detentk1",
        ]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        if let kept = KeptValues.read(bytes, of: plan) {
            try check(kept)
            return true
        }
        let isWhole = try isAccepted(bytes)
        let isSealed = try isAccepted(SavedFile.sealed(bytes))
        return isWhole || isSealed
    }

    private func isAccepted(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        let reading: SavedFile.Reading
        do throws(SavedFile.Foreign) {
            reading = try SavedFile.read(bytes, of: plan)
        } catch {
            try Self.check([error.cause])
            return false
        }
        try Self.check(reading.notes)
        try check(reading.values)
        return true
    }

    private static func check(_ messages: [String]) throws(BrokenPromise) {
        for message in messages {
            try BrokenPromise.unless(
                !message.contains("\n"), "a message has several lines: \(message)")
        }
    }

    private func check(_ read: [SavedValue]) throws(BrokenPromise) {
        var values: [Value?] = plan.controls.map { _ in nil }
        for it in read { values[Int(it.control.index)] = it.value }
        let again = try? SavedFile.read(SavedFile.bytes(values, of: plan), of: plan)
        let expected = plan.allControls.compactMap { control in
            values[Int(control.index)].map { SavedValue(control: control, value: $0) }
        }
        try BrokenPromise.unless(
            again?.values == expected && again?.notes == [], "what was read cannot be saved")
    }
}

/// The database of values and events: it is refused in one line, or it can be read and written.
struct HistoryTarget: FuzzTarget {
    /// In memory; only a reader that crashes leaves a file there.
    private let path = "/dev/shm/detent-fuzz-\(getpid()).history"

    let words =
        numbers + ["SQLite format 3\0", "DTNT", "CREATE TABLE ", "event", "value", "panel", "Fuzz"]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) } }
        guard let file = fopen(path, "w") else { throw BrokenPromise(text: "no file") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        do {
            try HistoryQuery().read(path) { _ in }
            let database = try HistoryDatabase(path, panel: "Fuzz", rows: 100)
            defer { database.close() }
            let row = HistoryRow(milliseconds: 1, control: "output", event: "changed", line: "{}")
            try database.write(values: database.values, rows: [row], survives: false)
            return true
        } catch {
            guard let error = error as? HistoryError else {
                throw BrokenPromise(text: "another error: \(error)")
            }
            try BrokenPromise.unless(
                !error.cause.isEmpty && !error.cause.contains("\n"),
                "this is no cause: \(error.cause)")
            return false
        }
    }
}

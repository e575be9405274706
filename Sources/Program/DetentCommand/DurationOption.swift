import DetentPanel
import DetentTypes

/// Reads a duration on the command line.
package enum DurationOption {
    package static func span(_ text: String) throws -> TimeSpan {
        guard let span = try? DurationText.parse(text) else {
            throw Failure(
                code: .usage, cause: "`\(text)` is not a duration",
                remedy: "write one such as 2s, 80ms or 150us")
        }
        return span
    }
}

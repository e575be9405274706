import DetentCommand
import DetentPanel
import DetentTypes
import Glibc

/// A time of day, as people write it.
enum TimeOption {
    /// Milliseconds since 1970 of `90min` ago, `2026-11-22`, `2026-11-22T21:30`, with seconds or
    /// without, local or with a `Z` in UTC.
    static func milliseconds(_ text: String) throws -> Int64 {
        if let span = try? DurationText.parse(text) {
            return now - Int64(span.nanoseconds / 1_000_000)
        }
        let isUTC = text.hasSuffix("Z")
        guard var parts = parts(isUTC ? text.dropLast() : text[...]) else { throw noTime(text) }
        let day = parts.tm_mday
        let seconds = isUTC ? timegm(&parts) : mktime(&parts)
        // The 30th of February would be the 2nd of March.
        guard parts.tm_mday == day else { throw noTime(text) }
        return Int64(seconds) * 1_000
    }

    private static func noTime(_ text: String) -> Failure {
        Failure(
            code: .usage, cause: "`\(text)` is not a time",
            remedy: "write a time ago such as 2h, or a time such as 2026-11-22T21:30")
    }

    /// `2026-11-22`, with `T21:30` or `T21:30:05`; nil if a number is missing or out of range.
    private static func parts(_ text: Substring) -> tm? {
        let date = text.prefix { $0 != "T" }
        guard let day = numbers(date, "-"), day.count == 3 else { return nil }
        let time = date.count == text.count ? [0, 0] : numbers(text.dropFirst(date.count + 1), ":")
        guard let time, time.count == 2 || time.count == 3 else { return nil }
        guard 1970...9999 ~= day[0], 1...12 ~= day[1], 1...31 ~= day[2], 0...23 ~= time[0],
            0...59 ~= time[1], 0...59 ~= (time.count == 3 ? time[2] : 0)
        else { return nil }
        var parts = tm()
        parts.tm_year = day[0] - 1900
        parts.tm_mon = day[1] - 1
        parts.tm_mday = day[2]
        parts.tm_hour = time[0]
        parts.tm_min = time[1]
        parts.tm_sec = time.count == 3 ? time[2] : 0
        // The system knows whether it was summer.
        parts.tm_isdst = -1
        return parts
    }

    private static func numbers(_ text: Substring, _ separator: Character) -> [Int32]? {
        let words = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = words.compactMap { word in
            word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int32(word) : nil
        }
        return numbers.count == words.count ? numbers : nil
    }

    /// A time with milliseconds, such as `2026-11-22T21:30:00.125Z`; local times have a space in
    /// place of the `T`.
    static func text(_ milliseconds: Int64, isUTC: Bool) -> String {
        var seconds = time_t(milliseconds / 1_000)
        var parts = tm()
        if isUTC { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
        var buffer = [CChar](repeating: 0, count: 64)
        strftime(&buffer, buffer.count, isUTC ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%d %H:%M:%S", &parts)
        let digits = String(milliseconds % 1_000)
        let text = String(
            decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text + "." + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
            + (isUTC ? "Z" : "")
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

import DetentActions
package import DetentTypes

/// Which messages of Open Sound Control are reports of which sources: pure, without a socket.
///
/// Of each source the newest reports wait, `RuntimeLimits.waitingReports` at most. They pass
/// together, once in `RuntimeLimits.feedbackGap`.
package struct OSCSwitchboard {
    private struct Source {
        var address: String
        /// The place of the argument, from 1.
        var argument: Int
        var waiting: [String] = []
        var opensAt = Instant.zero

        /// Drops the oldest reports of too many. The panel reads 64 KiB in each gap; a source that
        /// filled them would hold up all others.
        mutating func trim() {
            var bytes = waiting.reduce(0) { $0 + $1.utf8.count }
            while waiting.count > RuntimeLimits.waitingReports || bytes > 4_096 && waiting.count > 1
            {
                bytes -= waiting.removeFirst().utf8.count
            }
        }
    }

    private var sources: [Source] = []

    /// Reads an address and the number of an argument for each source; nil if they are wrong.
    package init?(_ arguments: [String]) {
        guard arguments.count.isMultiple(of: 2), !arguments.isEmpty else { return nil }
        for place in stride(from: 0, to: arguments.count, by: 2) {
            guard let number = Int(arguments[place + 1]), number > 0 else { return nil }
            sources.append(Source(address: arguments[place], argument: number))
        }
    }

    /// Takes a datagram; one that is no message, or for no source, is left out.
    package mutating func take(_ datagram: ArraySlice<UInt8>) {
        guard let report = OSCReport(datagram) else { return }
        for place in sources.indices where sources[place].address == report.address {
            let number = sources[place].argument
            // Without the argument it is about something else.
            guard number <= report.words.count else { continue }
            sources[place].waiting.append(report.words[number - 1])
            sources[place].trim()
        }
    }

    /// The lines that are due: the number of a source, a space, and the first line of a report.
    package mutating func lines(at now: Instant) -> String {
        var text = ""
        for place in sources.indices where sources[place].opensAt <= now {
            guard !sources[place].waiting.isEmpty else { continue }
            for report in sources[place].waiting {
                text += "\(place) \(report.prefix { !$0.isNewline })\n"
            }
            sources[place].waiting = []
            sources[place].opensAt = now + RuntimeLimits.feedbackGap
        }
        return text
    }

    /// When `lines` is due; `never` if no report waits.
    package var deadline: Instant {
        sources.reduce(.never) { $1.waiting.isEmpty ? $0 : min($0, $1.opensAt) }
    }
}

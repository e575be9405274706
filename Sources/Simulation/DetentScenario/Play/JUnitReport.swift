import DetentPanel
import DetentTypes

/// Writes results of scenarios as JUnit XML, for build servers.
public enum JUnitReport {
    /// One suite with a case for each scenario file.
    ///
    /// Times are virtual seconds. A file that could not be read is an error, a failed step a
    /// failure.
    public static func text(_ outcomes: [(file: String, outcome: ScenarioFile.Outcome)]) -> String {
        var cases = ""
        var failures = 0
        var errors = 0
        for (file, outcome) in outcomes {
            switch outcome {
            case .ran(let result):
                failures += result.isPassed ? 0 : 1
                let milliseconds = Int64(result.duration.nanoseconds / 1_000_000)
                let time = DecimalNumber.text(units: milliseconds, decimals: 3)
                cases += testCase(file, time, failureElements(result))
            case .unreadable(let problems):
                errors += 1
                let text = escaped(ProblemRenderer.text(problems))
                cases += testCase(
                    file, "0.000",
                    "    <error message=\"the scenario cannot be read\">\(text)</error>\n")
            }
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="detent" tests="\(outcomes.count)" failures="\(failures)" \
            errors="\(errors)">
            \(cases)</testsuite>

            """
    }

    private static func failureElements(_ result: ScenarioResult) -> String {
        result.failures.map { failure in
            let first = failure.text.split(separator: "\n").first.map(String.init) ?? ""
            let place = "\(result.file):\(failure.place.line):\(failure.place.column)"
            return "    <failure message=\"\(escaped(place)): \(escaped(first))\">"
                + "\(escaped(failure.text))</failure>\n"
        }.joined()
    }

    private static func testCase(_ file: String, _ time: String, _ body: String) -> String {
        let start = "  <testcase classname=\"scenario\" name=\"\(escaped(file))\" time=\"\(time)\""
        return body.isEmpty ? start + "/>\n" : start + ">\n" + body + "  </testcase>\n"
    }

    /// Text for XML 1.0; invalid characters become U+FFFD.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                result += "\u{FFFD}"
            case _: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

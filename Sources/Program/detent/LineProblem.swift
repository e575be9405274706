import DetentCommand
import DetentGPIOD
import DetentHAL
import DetentTypes

/// A cause for which lines cannot be used, with all the affected lines.
struct LineProblem: DescribedError {
    private var names: [String]
    let cause: String
    let remedy: String

    private init(names: [String], cause: String, remedy: String) {
        self.names = names
        self.cause = cause
        self.remedy = remedy
    }

    /// Lines that do not rest at their level.
    init(_ remark: PullRemark) {
        self.init(names: remark.lines, cause: remark.cause, remedy: remark.remedy)
    }

    /// Each cause once, in the order of first occurrence.
    static func grouped(_ errors: [HALError]) -> [LineProblem] {
        var groups: [LineProblem] = []
        for error in errors {
            let place = groups.firstIndex { $0.cause == error.cause && $0.remedy == error.remedy }
            if let place {
                groups[place].names.append(error.line)
            } else {
                groups.append(
                    LineProblem(names: [error.line], cause: error.cause, remedy: error.remedy))
            }
        }
        return groups
    }

    /// A message for each cause.
    ///
    /// - Parameter file: the panel file, or what else names the lines.
    static func text(_ errors: [HALError], of file: String) -> String {
        grouped(errors).map { ErrorText.lines($0, at: "\(file): \($0.lines): error") }.joined()
    }

    /// The names of the lines; several are counted.
    var lines: String {
        let list = names.joined(separator: ", ")
        return names.count == 1 ? list : "\(names.count) lines (\(list))"
    }
}

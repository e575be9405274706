internal import DetentHAL
internal import DetentTypes

/// Divides the lines of one chip into requests that the kernel accepts.
enum RequestPlan {
    /// GPIO_V2_LINE_NUM_ATTRS_MAX of Linux: attributes of one request.
    static let attributesMax = 10

    /// Lines in the same request must have the same family.
    private enum Family: CaseIterable {
        case edges, polled, outputs

        /// The kernel releases a request as a whole. Lines with edges and outputs have requests of
        /// their own, so that a reload can release one without an edge of another one. Polled lines
        /// share a request, which reads all of them in one access to their bus.
        var isShared: Bool {
            switch self {
            case .polled: true
            case .edges, .outputs: false
            }
        }

        init(_ settings: LineSettings) {
            self = settings.isOutput ? .outputs : settings.wantsEdges ? .edges : .polled
        }
    }

    /// The flags that the kernel stores as one attribute for all lines that share them.
    private struct Flags: Hashable {
        var isActiveLow: Bool
        var bias: Bias?
        var debounce: UInt64

        init(_ settings: LineSettings) {
            isActiveLow = settings.isActiveLow
            switch settings.direction {
            case .input(let bias, _, let debounce):
                self.bias = bias
                self.debounce = debounce?.nanoseconds ?? 0
            case .output:
                bias = nil
                debounce = 0
            }
        }
    }

    /// Groups of indices into `lines`, all on one chip: one for each line with edges and for each
    /// output, and shared ones for polled lines.
    ///
    /// A shared group has at most `linesPerGroup` lines, and no more distinct settings than a
    /// request has attributes.
    static func groups(of lines: [LineSettings], linesPerGroup: Int) -> [[Int]] {
        Family.allCases.flatMap { family in
            divide(
                lines.indices.filter { Family(lines[$0]) == family }, of: lines,
                linesPerGroup: family.isShared ? linesPerGroup : 1)
        }
    }

    private static func divide(
        _ members: [Int], of lines: [LineSettings], linesPerGroup: Int
    ) -> [[Int]] {
        var groups: [[Int]] = []
        var flags = Set<Flags>()
        for member in members {
            let own = Flags(lines[member])
            // Each set of flags can need two attributes, with its debounce; output values need one.
            let isFull =
                groups.last.map { $0.count == linesPerGroup } ?? true
                || !flags.contains(own) && (flags.count + 1) * 2 > attributesMax
            if isFull {
                groups.append([])
                flags = []
            }
            groups[groups.count - 1].append(member)
            flags.insert(own)
        }
        return groups
    }
}

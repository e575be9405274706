internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// The panels of this repository: every scenario with its expected trace, on the lines of its
/// board.
extension EndToEndChecks {
    /// A check for each `panels/NAME/*.scenario.yaml`, except those for virtual time only.
    static var panels: [(name: String, run: @Sendable () throws -> Void)] {
        let folder = "\(project)/panels"
        return KernelFile.names(in: folder).flatMap { panel in
            KernelFile.names(in: "\(folder)/\(panel)").filter { $0.hasSuffix(".scenario.yaml") }
                .compactMap {
                    file in
                    let place = "\(folder)/\(panel)"
                    guard !isVirtualOnly("\(place)/\(file)") else { return nil }
                    return (
                        "panel: \(panel)/\(file) holds on real lines",
                        { @Sendable in try play("\(place)/\(file)", of: "\(place)/panel.yaml") }
                    )
                }
        }
    }

    private static func isVirtualOnly(_ scenario: String) -> Bool {
        let text = try? KernelFile.text(scenario)
        return text?.split(separator: "\n").contains { $0.hasPrefix("time: virtual") } == true
    }

    private static func play(_ scenario: String, of panel: String) throws {
        let board = try SimBoard(forPanel: panel, boards: "\(project)/boards")
        defer { board.remove() }
        let result = try Program.run("test", "--backend", "gpiod", scenario)
        try expect(result.status == 0, "exit code \(result.status): \(result.text)")
        try expect(result.text.contains("of real time"), result.text)
    }
}

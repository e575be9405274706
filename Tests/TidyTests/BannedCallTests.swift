import TestSupport
import Testing

@Suite struct BannedCallTests {
    @Test(arguments: Set(SourceTree.swift.map(\.room)).sorted())
    func nothingBannedIsCalled(room: String) {
        for file in SourceTree.swift where file.room == room {
            for violation in BannedCall.violations(file) { Issue.record("\(violation)") }
        }
    }

    @Test(arguments: [
        ("Sources/Panel/DetentPanel/A.swift", "import Foundation"),
        ("Tests/Core/DetentCoreTests/A.swift", "    let now = Date()"),
        ("Sources/Core/DetentCore/A.swift", "let now = MonotonicClock.now"),
        ("Sources/Simulation/DetentWorld/World/A.swift", "let now = MonotonicClock.now"),
        ("Tests/Core/DetentCoreTests/A.swift", "try await Task.sleep(for: .seconds(1))"),
        ("Tests/Runtime/DetentActionsTests/A.swift", "usleep(1)"),
        ("Tests/Runtime/DetentActionsTests/A.swift", "Glibc.sleep(1)"),
        ("Sources/Simulation/DetentWorld/A.swift", "let a = Int.random(in: 0..<4)"),
        ("Tests/Simulation/DetentWorldTests/A.swift", "var a = SystemRandomNumberGenerator()"),
        ("Sources/Program/detent/A.swift", "let a = try! b()"),
        ("Sources/Runtime/DetentRuntime/A.swift", "fatalError()"),
        ("Sources/Runtime/DetentRuntime/A.swift", "print(a)"),
        ("Sources/Core/DetentCore/A.swift", "        default: break"),
        ("Sources/Core/DetentCore/A.swift", "        case _: break"),
        ("Sources/Core/DetentTypes/A.swift", "        case _: break"),
        ("Sources/Core/DetentCore/A.swift", "        case (_, _): break"),
        ("Sources/Core/DetentCore/A.swift", "        case (.on, .off), (_, _):"),
        ("Sources/Hardware/DetentHAL/A.swift", "// TODO: later"),
        ("Sources/Hardware/DetentHAL/A.swift", "let a = 1  // FIXME"),
    ])
    func bannedCallIsCaught(path: String, line: String) {
        let found = BannedCall.violations(SourceFile(path: path, text: "let a = 0\n\(line)\n"))
        expectEqual(found.count, 1)
        expectEqual(found.first?.hasPrefix("\(path):2: "), true)
    }

    @Test(arguments: [
        ("Sources/Panel/DetentPanel/A.swift", "import FoundationEssentials"),
        ("Tests/Kernel/Runner/A.swift", "usleep(1)"),
        ("Sources/Program/detent/A.swift", "print(a)"),
        ("Sources/Core/DetentCore/A.swift", "// print(a), and by default: no"),
        ("Sources/Runtime/DetentTrace/A.swift", "let a = Int.random(in: 0..<4, using: &generator)"),
        ("Sources/Panel/DetentPanel/A.swift", "default: break"),
        ("Sources/Panel/DetentPanel/A.swift", "case _: break"),
        ("Sources/Core/DetentCore/A.swift", "case (.failed, _): break"),
        ("Sources/Core/DetentCore/A.swift", "case .open(_, let until): break"),
        ("Sources/Runtime/DetentRuntime/A.swift", "fingerprint(a)"),
        ("Sources/Simulation/DetentWorld/Backend/A.swift", "let now = MonotonicClock.now"),
    ])
    func whatIsNotBannedIsLeftAlone(path: String, line: String) {
        #expect(BannedCall.violations(SourceFile(path: path, text: line)).isEmpty)
    }
}

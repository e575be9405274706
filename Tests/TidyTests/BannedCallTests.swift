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
        ("Sources/DetentPanel/A.swift", "import Foundation"),
        ("Tests/DetentCoreTests/A.swift", "    let now = Date()"),
        ("Sources/DetentCore/A.swift", "let now = MonotonicClock.now"),
        ("Sources/DetentWorld/World/A.swift", "let now = MonotonicClock.now"),
        ("Tests/DetentCoreTests/A.swift", "try await Task.sleep(for: .seconds(1))"),
        ("Tests/DetentActionsTests/A.swift", "usleep(1)"),
        ("Tests/DetentActionsTests/A.swift", "Glibc.sleep(1)"),
        ("Sources/DetentWorld/A.swift", "let a = Int.random(in: 0..<4)"),
        ("Tests/DetentWorldTests/A.swift", "var a = SystemRandomNumberGenerator()"),
        ("Sources/detent/A.swift", "let a = try! b()"),
        ("Sources/DetentRuntime/A.swift", "fatalError()"),
        ("Sources/DetentRuntime/A.swift", "print(a)"),
        ("Sources/DetentCore/A.swift", "        default: break"),
        ("Sources/DetentCore/A.swift", "        case _: break"),
        ("Sources/DetentTypes/A.swift", "        case _: break"),
        ("Sources/DetentCore/A.swift", "        case (_, _): break"),
        ("Sources/DetentCore/A.swift", "        case (.on, .off), (_, _):"),
        ("Sources/DetentHAL/A.swift", "// TODO: later"),
        ("Sources/DetentHAL/A.swift", "let a = 1  // FIXME"),
    ])
    func bannedCallIsCaught(path: String, line: String) {
        let found = BannedCall.violations(SourceFile(path: path, text: "let a = 0\n\(line)\n"))
        expectEqual(found.count, 1)
        expectEqual(found.first?.hasPrefix("\(path):2: "), true)
    }

    @Test(arguments: [
        ("Sources/DetentPanel/A.swift", "import FoundationEssentials"),
        ("Tests/Kernel/Runner/A.swift", "usleep(1)"),
        ("Sources/detent/A.swift", "print(a)"),
        ("Sources/DetentCore/A.swift", "// print(a), and by default: no"),
        ("Sources/DetentTrace/A.swift", "let a = Int.random(in: 0..<4, using: &generator)"),
        ("Sources/DetentPanel/A.swift", "default: break"),
        ("Sources/DetentPanel/A.swift", "case _: break"),
        ("Sources/DetentCore/A.swift", "case (.failed, _): break"),
        ("Sources/DetentCore/A.swift", "case .open(_, let until): break"),
        ("Sources/DetentRuntime/A.swift", "fingerprint(a)"),
        ("Sources/DetentWorld/Backend/A.swift", "let now = MonotonicClock.now"),
    ])
    func whatIsNotBannedIsLeftAlone(path: String, line: String) {
        #expect(BannedCall.violations(SourceFile(path: path, text: line)).isEmpty)
    }
}

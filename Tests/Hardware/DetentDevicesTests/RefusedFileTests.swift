import DetentHAL
import Glibc
import TestSupport
import Testing

@testable import DetentDevices

/// What an error number of a file means for each source.
@Suite struct RefusedFileTests {
    private static let line = LevelBench.line(0, "ACT")

    private static func all(_ errno: Int32) -> [HALError] {
        [
            .converterRefused(line, "/f", errno: errno), .inputRefused(line, "/f", errno: errno),
            .levelRefused(line, "/f", errno: errno),
        ]
    }

    @Test func commonErrorsMeanTheSame() {
        expectEqual(Self.all(EACCES).map(\.code), Array(repeating: .permissionDenied, count: 3))
        expectEqual(Self.all(ENODEV).map(\.code), Array(repeating: .unplugged, count: 3))
        expectEqual(Self.all(EIO).map(\.code), Array(repeating: .system, count: 3))
        expectEqual(
            Self.all(EIO).map(\.cause),
            ["read", "read", "written"].map { "/f cannot be \($0): Input/output error" })
        expectEqual(Set(Self.all(EACCES).map(\.remedy)).count, 3, "each gives the right otherwise")
    }

    @Test func eachSourceHasItsOwn() {
        expectEqual(Self.all(ETIMEDOUT)[0].cause, "/f does not answer")
        expectEqual(Self.all(EBUSY).map(\.code), [.system, .busy, .busy])
        expectEqual(Self.all(EROFS)[2].code, .permissionDenied)
        expectEqual(Self.all(EINVAL).map(\.code), [.system, .system, .unsupported])
    }
}

import DetentPlatform
import TestSupport
import Testing

/// What keeps the files of a folder.
@Suite struct FolderMediumTests {
    @Test func fileSystemsAreKnownByTheirNumbers() {
        expectEqual(FolderMedium(fileSystem: 0x0102_1994), .memory)
        expectEqual(FolderMedium(fileSystem: 0x794C_7630), .overlay)
        expectEqual(FolderMedium(fileSystem: 0xEF53), .storage, "ext4")
    }

    /// The kernel's own files are on no disk, and nothing is nowhere.
    @Test func foldersOfThisMachineAreKnown() {
        expectEqual(FolderMedium.of("/proc"), .storage)
        expectEqual(FolderMedium.of("/nowhere/at/all"), nil)
    }
}

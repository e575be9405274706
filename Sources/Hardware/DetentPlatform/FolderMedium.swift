import CPlatform

/// What keeps the files of a folder.
public enum FolderMedium: Equatable, Sendable {
    /// The memory of the machine: files are gone after the next start.
    case memory
    /// An overlay: new files are in its upper layer, which is memory on a board whose card is
    /// protected from writing.
    case overlay
    /// A disk, a card or a network.
    case storage

    /// Reads the number of a kind of file system, which `statfs` gives (linux/magic.h).
    public init(fileSystem number: UInt32) {
        switch number {
        case 0x0102_1994, 0x8584_58F6: self = .memory  // tmpfs, ramfs
        case 0x794C_7630: self = .overlay
        case _: self = .storage
        }
    }

    /// The medium of a folder; nil if it does not exist or cannot be reached.
    public static func of(_ folder: String) -> FolderMedium? {
        UInt32(exactly: detent_file_system(folder)).map(FolderMedium.init(fileSystem:))
    }
}

import DetentPlatform
import Glibc
import TestSupport
import Testing

/// Files that are saved in any way, also behind links.
@Suite struct FileWatchTests {
    /// A folder that is removed with this value.
    private final class Place {
        let path: String

        init() throws {
            var template = Array("/tmp/detent-watch-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
            guard mkdtemp(&template) != nil else {
                throw PlatformError(doing: "mkdtemp", errno: errno)
            }
            path = String(
                decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        deinit {
            // The children come before their folders.
            let names = [
                "now/p", "new", "now", "r1/p", "r2/p", "r1", "r2", "p", "etc/p", "shared/p",
                "git/p", "git/q", "etc", "shared", "git",
            ]
            for name in names {
                _ = remove("\(path)/\(name)")
            }
            rmdir(path)
        }

        func write(_ name: String, _ text: String) {
            guard let file = fopen("\(path)/\(name)", "w") else { return }
            fputs(text, file)
            fclose(file)
        }
    }

    @Test func aFileThatIsSavedIsNoticed() throws {
        let place = try Place()
        place.write("p", "one")
        let watch = try FileWatch(place.path + "/p")
        #expect(!watch.take())
        place.write("p", "two")
        #expect(watch.take())
        place.write("other", "x")
        #expect(!watch.take(), "another file")
        place.write("new", "three")
        rename(place.path + "/new", place.path + "/p")
        #expect(watch.take(), "replaced")
        unlink(place.path + "/other")
    }

    /// A link to a folder, which is switched as releases are; then the other folder counts.
    @Test func aFileBehindLinksIsFollowed() throws {
        let place = try Place()
        for folder in ["r1", "r2"] {
            mkdir("\(place.path)/\(folder)", 0o700)
            place.write("\(folder)/p", folder)
        }
        symlink("r1", place.path + "/now")
        let watch = try FileWatch(place.path + "/now/./p")
        place.write("r1/p", "saved behind the link")
        #expect(watch.take())
        place.write("r2/p", "not the file yet")
        #expect(!watch.take())
        symlink("r2", place.path + "/new")
        rename(place.path + "/new", place.path + "/now")
        #expect(watch.take(), "the link leads elsewhere")
        place.write("r2/p", "saved")
        #expect(watch.take())
        place.write("r1/p", "not the file any more")
        #expect(!watch.take())
    }

    /// The file itself is a link, twice: the folder in which it is saved is another one.
    @Test func aLinkToTheFileIsFollowed() throws {
        let place = try Place()
        for folder in ["etc", "shared", "git"] { mkdir("\(place.path)/\(folder)", 0o700) }
        place.write("git/p", "first")
        symlink("../git/p", place.path + "/shared/p")
        symlink(place.path + "/shared/p", place.path + "/etc/p")
        let watch = try FileWatch(place.path + "/etc/p")
        place.write("git/p", "saved where it is")
        #expect(watch.take())
        place.write("git/q", "another file")
        #expect(!watch.take())
        unlink(place.path + "/shared/p")
        place.write("shared/p", "a file in place of the second link")
        #expect(watch.take())
    }

    /// Links that lead to each other end.
    @Test func aCircleOfLinksEnds() throws {
        let place = try Place()
        symlink("now", place.path + "/new")
        symlink("new", place.path + "/now")
        let watch = try FileWatch(place.path + "/now")
        unlink(place.path + "/now")
        place.write("now", "a file")
        #expect(watch.take())
    }
}

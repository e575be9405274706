import Glibc

/// Paths from the root, as they are given: links are not followed.
public enum AbsolutePath {
    /// The path of a file from the root, without `.` and empty parts; `..` stays, because what it
    /// leads to depends on links.
    ///
    /// It depends on the working folder, unless the path begins with `/`.
    public static func of(_ path: String) -> String {
        var whole = path
        if !path.hasPrefix("/"), let folder = getcwd(nil, 0) {
            whole = String(cString: folder) + "/" + path
            free(folder)
        }
        return "/" + parts(of: whole).joined(separator: "/")
    }

    /// The names in a path, without `.` and empty ones.
    static func parts(of path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }
}

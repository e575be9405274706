import Glibc

/// The web browser of the user at this machine.
enum Browser {
    /// Opens a page; false if there is no browser.
    ///
    /// It starts the desktop's opener, and does not wait for it.
    ///
    /// - Parameter address: it is an argument of other programs, which every user can see. Give an
    ///   address with a token to `BrowserPage`, and open that.
    static func open(_ address: String) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The output of a browser must not mix with the events of the panel.
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The browser would otherwise inherit the blocked signals of the panel.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
        // The shell ends at once, so no child process remains to be waited for.
        let script = "command -v xdg-open >/dev/null || exit 1; xdg-open \"$1\" &"
        let texts = ["sh", "-c", script, "sh", address]
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child = pid_t()
        guard posix_spawn(&child, "/bin/sh", &actions, &attributes, &words, environ) == 0 else {
            return false
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}

import Glibc

/// The browser of whoever sits at this machine.
enum Browser {
    /// Shows a page; false where nothing on this machine can.
    ///
    /// It is the desktop's own opener that is started, and nobody waits for it.
    static func open(_ address: String) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // What a browser has to say is no event of the panel.
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals that the panel takes by a descriptor would be blocked in the browser for good.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
        // The shell ends at once, so that no process is left behind that nobody asks about.
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

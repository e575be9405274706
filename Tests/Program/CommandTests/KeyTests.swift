import Glibc
import TestSupport
import Testing

/// What the daemon says at its start of keys that it cannot press. The kernel rig presses some.
@Suite struct KeyTests {
    private static let sentence = "no `key` action can press a key: /dev/uinput: "

    private static func panel(_ action: String) -> String {
        """
        panel: Kiosk
        board: none
        controls:
          reload: {kind: button, label: Reload, input: RELOAD, action: \(action)}

        """
    }

    /// The same words at the start, after a reload and in `detent doctor`.
    @Test(.enabled(if: access("/dev/uinput", F_OK) != 0, "this machine can press keys"))
    func theStartSaysThatNoKeyCanBePressed() throws {
        let daemon = try ServedDaemon(Self.panel("{key: KEY_F5}"))
        #expect(daemon.session.waitForErrors(Self.sentence))
        #expect(daemon.session.waitForErrors("\nhelp: run `sudo modprobe uinput`\n"))
    }

    @Test(.enabled(if: access("/dev/uinput", F_OK) != 0, "this machine can press keys"))
    func aReloadSaysThatNoKeyCanBePressed() throws {
        let daemon = try ServedDaemon(Self.panel("{run: [\"true\"], timeout: 5s}"))
        #expect(!daemon.session.errorText.contains(Self.sentence))
        try daemon.reload(Self.panel("{key: KEY_F5}"))
        #expect(daemon.session.waitForErrors(Self.sentence))
        // Each reload says it again.
        try daemon.reload(Self.panel("{key: KEY_F6}"))
        #expect(daemon.session.waitForErrors(Self.sentence, times: 2))
    }

    @Test func aPanelWithoutKeysSaysNothing() throws {
        let daemon = try ServedDaemon(Self.panel("{run: [\"true\"], timeout: 5s}"))
        daemon.session.send(SIGTERM)
        let end = daemon.session.end()
        expectEqual(end.code, 0)
        #expect(!end.errors.contains(Self.sentence), "\(end.errors)")
    }
}

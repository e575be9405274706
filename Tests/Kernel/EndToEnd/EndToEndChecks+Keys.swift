internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// Keys that a panel presses, as another program reads them.
extension EndToEndChecks {
    static let keys: [(name: String, run: @Sendable () throws -> Void)] = [
        ("keys: a button presses a key and lets it go, and a switch taps", heldAndTapped),
        ("keys: a chord goes down in order and up in the other, and a shared key last", chord),
        ("keys: a panel that is killed leaves no key held", killedPanel),
        ("keys: the process that presses is killed: no key is held, and it is back", killedProcess),
        ("keys: a reload lets go, and makes the device of the new keys", reloadedKeys),
        ("keys: without /dev/uinput the start and doctor tell it, and a press fails", noUinput),
    ]

    // linux/input-event-codes.h
    private static let base: UInt16 = 0x126
    private static let base2: UInt16 = 0x127
    private static let base3: UInt16 = 0x128
    private static let f5: UInt16 = 63
    private static let control: UInt16 = 29
    private static let c: UInt16 = 46
    private static let v: UInt16 = 47
    private static let thumb: UInt16 = 0x121

    private static func makeBox() throws -> UserInput {
        let box = try UserInput("button box", keys: [base, base2, base3])
        try expect(eventually { box.node.map { access($0, R_OK) } == 0 }, "no node of the box")
        return box
    }

    private static let kiosk = """
        panel: Kiosk
        board: none
        controls:
          reload:
            kind: button
            label: Reload
            input: {device: "button box", key: BTN_BASE}
            debounce: none
            action: {key: KEY_F5}
          copy:
            kind: button
            label: Copy
            input: {device: "button box", key: BTN_BASE2}
            debounce: none
            action: {key: [KEY_LEFTCTRL, KEY_C]}
          gear:
            kind: switch
            label: Gear
            input: {device: "button box", key: BTN_BASE3}
            debounce: none
            action: {on: {key: BTN_THUMB}, off: {key: [KEY_LEFTCTRL, KEY_V]}}

        """

    /// The device of a running panel.
    private static func reader(_ name: String = "Detent Kiosk") throws -> KeyReader {
        var found: KeyReader?
        _ = eventually {
            found = KeyReader(name)
            return found != nil
        }
        guard let found else { throw Failure(description: "no device \(name)") }
        return found
    }

    private static func reads(
        _ reader: KeyReader, _ wanted: [(key: UInt16, isDown: Bool)], _ what: String
    ) throws {
        var seen: [KeyReader.Change] = []
        let wanted = wanted.map { KeyReader.Change($0.key, isDown: $0.isDown) }
        _ = eventually(seconds: 5) {
            seen += reader.changes()
            return seen.count >= wanted.count
        }
        usleep(100_000)
        seen += reader.changes()
        try expect(seen == wanted, "\(what): \(seen)")
    }

    private static func heldAndTapped() throws {
        let box = try makeBox()
        let daemon = try Daemon(panel: kiosk)
        let keyboard = try reader()
        let joystick = try reader("Detent Kiosk Joystick")
        try expect(keyboard.keys == [control, c, v, f5], "it has the keys \(keyboard.keys)")
        try expect(joystick.keys == [thumb], "it has the buttons \(joystick.keys)")
        try daemon.event("gear", "\"confirmed\"", "\"off\"")
        _ = keyboard.changes()
        box.set(key: base, isPressed: true)
        try reads(keyboard, [(f5, true)], "held")
        try expect(keyboard.down == [f5], "held: \(keyboard.down)")
        try daemon.event("reload", "\"phase\"", "\"idle\"")
        box.set(key: base, isPressed: false)
        try reads(keyboard, [(f5, false)], "let go")
        box.set(key: base3, isPressed: true)
        try reads(joystick, [(thumb, true), (thumb, false)], "a tap")
        try daemon.event("gear", "\"confirmed\"", "\"on\"")
        box.set(key: base3, isPressed: false)
        try reads(
            keyboard, [(control, true), (v, true), (v, false), (control, false)],
            "a chord is tapped")
        try daemon.event("gear", "\"confirmed\"", "\"off\"")
        // Presses that are as fast as the device tells them keep their order.
        for _ in 0..<3 {
            box.set(key: base, isPressed: true)
            box.set(key: base, isPressed: false)
        }
        try reads(
            keyboard,
            [(f5, true), (f5, false), (f5, true), (f5, false), (f5, true), (f5, false)], "quick")
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
        try expect(!keyboard.isThere && !joystick.isThere, "a device has remained")
    }

    private static func chord() throws {
        let box = try makeBox()
        let both = kiosk.replacing("KEY_F5", with: "[KEY_LEFTCTRL, KEY_F5]")
        let daemon = try Daemon(panel: both)
        let keyboard = try reader()
        try daemon.event("gear", "\"confirmed\"", "\"off\"")
        _ = keyboard.changes()
        box.set(key: base2, isPressed: true)
        try reads(keyboard, [(control, true), (c, true)], "a chord")
        box.set(key: base, isPressed: true)
        try reads(keyboard, [(f5, true)], "control is down already")
        box.set(key: base2, isPressed: false)
        try reads(keyboard, [(c, false)], "control is held by the other button")
        box.set(key: base, isPressed: false)
        try reads(keyboard, [(f5, false), (control, false)], "control goes last")
    }

    private static func killedPanel() throws {
        let box = try makeBox()
        let daemon = try Daemon(panel: kiosk)
        let keyboard = try reader()
        try daemon.event("gear", "\"confirmed\"", "\"off\"")
        _ = keyboard.changes()
        box.set(key: base, isPressed: true)
        try expect(eventually { keyboard.down == [f5] }, "the key is not down")
        let panel = try daemon.panel()
        kill(daemon.process, SIGKILL)
        kill(panel, SIGKILL)
        try expect(eventually(seconds: 5) { !keyboard.isThere }, "the device has remained")
        try expect(KeyReader("Detent Kiosk") == nil, "there is another one")
    }

    private static func killedProcess() throws {
        let box = try makeBox()
        let daemon = try Daemon(panel: kiosk)
        let keyboard = try reader()
        try daemon.event("gear", "\"confirmed\"", "\"off\"")
        _ = keyboard.changes()
        box.set(key: base, isPressed: true)
        try expect(eventually { keyboard.down == [f5] }, "the key is not down")
        let panel = try daemon.panel()
        var killed = 0
        while let process = KernelFile.child(of: panel, named: "detent-keys"), killed < 2 {
            kill(process, SIGKILL)
            killed += 1
            usleep(100_000)
        }
        try expect(killed == 2, "\(killed) processes press keys")
        try expect(eventually(seconds: 5) { !keyboard.isThere }, "the device has remained")
        // It is back before the next press.
        let second = try reader()
        try expect(second.down == [], "keys are down: \(second.down)")
        box.set(key: base, isPressed: false)
        box.set(key: base2, isPressed: true)
        try reads(second, [(control, true), (c, true)], "the next press")
        let status = try KernelFile.text(
            "/proc/\(KernelFile.child(of: panel, named: "detent-keys") ?? 0)/status")
        try expect(status.contains("NoNewPrivs:\t1"), status)
        try expect(status.contains("Seccomp:\t2") || !status.contains("Seccomp:"), status)
    }

    private static func reloadedKeys() throws {
        let box = try makeBox()
        let daemon = try Daemon(panel: kiosk)
        let keyboard = try reader()
        try daemon.event("gear", "\"confirmed\"", "\"off\"")
        _ = keyboard.changes()
        box.set(key: base, isPressed: true)
        try reads(keyboard, [(f5, true)], "held")
        let renamed = try reload(daemon, kiosk.replacing("Reload", with: "Again"))
        try expect(renamed.status == 0, renamed.text)
        try reads(keyboard, [(f5, false)], "the same keys")
        box.set(key: base, isPressed: false)
        let changed = try reload(daemon, kiosk.replacing("KEY_F5", with: "KEY_V"))
        try expect(changed.status == 0, changed.text)
        try expect(eventually { !keyboard.isThere }, "the device has remained")
        let other = try reader()
        try expect(other.keys == [control, c, v], "it has the keys \(other.keys)")
        box.set(key: base, isPressed: true)
        try reads(other, [(v, true)], "the new key")
    }

    private static func noUinput() throws {
        let box = try makeBox()
        try expect(rename("/dev/uinput", "/dev/uinput.away") == 0, "/dev/uinput cannot be moved")
        defer { rename("/dev/uinput.away", "/dev/uinput") }
        try writeFile(kiosk, to: "/tmp/keys.yaml")
        let running = try Background(["run", "/tmp/keys.yaml", "--events", "--listen", "off"])
        // Before a press.
        let sentence = "no `key` action can press a key: /dev/uinput: the kernel's module"
        try running.prints(sentence)
        try running.prints("help: run `sudo modprobe uinput`")
        try running.prints("\"control\": \"gear\", \"event\": \"phase\", \"phase\": \"failed\"")
        box.set(key: base, isPressed: true)
        try running.prints("\"control\": \"reload\", \"event\": \"phase\", \"phase\": \"failed\"")
        try running.prints("run `sudo modprobe uinput`")
        _ = try running.stop()
        let doctor = try Program.run("doctor", "/tmp/keys.yaml")
        try expect(doctor.text.contains(sentence), doctor.text)
        try expect(doctor.text.contains("run `sudo modprobe uinput`"), doctor.text)
    }
}

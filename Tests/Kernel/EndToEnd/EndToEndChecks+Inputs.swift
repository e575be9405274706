internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// Input devices: button boxes and knobs of uinput.
extension EndToEndChecks {
    static let inputs: [(name: String, run: @Sendable () throws -> Void)] = [
        ("inputs: keys and an axis of a device are a panel without a GPIO chip", buttonBox),
        ("inputs: a device that goes is a fault, and works again under another number", replugged),
        ("inputs: a key held while the device goes is released", unpluggedWhileHeld),
        ("inputs: events lost in the kernel's queue are a loss, and the level is read", floodedBox),
        ("inputs: two of one name are listed, and each works by its own name", twinBoxes),
        ("inputs: a device that another program has grabbed is told", grabbedBox),
        ("inputs: a grabbed device gives others nothing", grabbingBox),
        ("inputs: a missing device and a missing key are told", missingInput),
        ("inputs: identify tells the key that was pressed, and the axis that was turned", foundKey),
    ]

    // linux/input-event-codes.h
    private static let base: UInt16 = 0x126
    private static let base2: UInt16 = 0x127
    private static let dial: UInt16 = 7

    private static func makeBox(
        _ name: String = "button box", place: String = ""
    ) throws -> UserInput {
        let box = try UserInput(name, place: place, keys: [base, base2], axes: [dial])
        try expect(eventually { box.node.map { access($0, R_OK) } == 0 }, "no node of \(name)")
        return box
    }

    private static func boxPanel(_ device: String = "button box", more: String = "") -> String {
        """
        panel: Box
        board: none
        controls:
          power:
            kind: switch
            label: Power
            input: {device: "\(device)", key: BTN_BASE\(more)}
            debounce: 5ms
            action: \(quick)
          volume:
            kind: dial
            label: Volume
            encoder: {device: "\(device)", axis: REL_DIAL\(more)}
            range: {min: 0, max: 100}
            startup: 50

        """
    }

    private static func buttonBox() throws {
        let box = try makeBox()
        box.set(key: base, isPressed: true)
        let daemon = try Daemon(panel: boxPanel())
        // The level at the start is read.
        try daemon.event("power", "\"confirmed\"", "\"on\"")
        box.set(key: base, isPressed: false)
        try daemon.event("power", "\"changed\"", "\"off\"")
        box.turn(axis: dial, by: 3)
        try daemon.event("volume", "\"changed\"", "53")
        box.turn(axis: dial, by: -5)
        try daemon.event("volume", "\"changed\"", "48")
        box.turn(axis: dial, by: 1)
        try daemon.event("volume", "\"changed\"", "49")
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
    }

    private static func replugged() throws {
        var box: UserInput? = try makeBox()
        let first = box?.node
        let daemon = try Daemon(panel: boxPanel())
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        box = nil
        try daemon.event("power", "\"fault\"", "line")
        // Another device takes the number.
        let other = try makeBox("something else")
        box = try makeBox()
        try expect(box?.node != first, "the device has its former number")
        try daemon.event("power", "\"fault\"", "none")
        box?.set(key: base, isPressed: true)
        try daemon.event("power", "\"changed\"", "\"on\"")
        withExtendedLifetime(other) {}
    }

    private static func unpluggedWhileHeld() throws {
        var box: UserInput? = try makeBox()
        let talk = [
            "  talk:", "kind: button", "label: Start",
            "input: {device: button box, key: BTN_BASE2}",
            "hold: {after: 200ms, action: \(quick)}",
        ]
        let daemon = try Daemon(panel: boxPanel() + talk.joined(separator: "\n    ") + "\n")
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        box?.set(key: base2, isPressed: true)
        try daemon.event("talk", "\"held\"")
        box = nil
        try daemon.event("talk", "\"fault\"", "line")
        box = try makeBox()
        try daemon.event("talk", "\"fault\"", "none")
        box?.set(key: base2, isPressed: true)
        try daemon.event("talk", "\"pressed\"")
        box?.set(key: base2, isPressed: false)
        try daemon.event("talk", "\"released\"")
    }

    /// The process is stopped, so that the kernel's queue of 64 events is full.
    private static func floodedBox() throws {
        let box = try makeBox()
        let daemon = try Daemon(panel: boxPanel())
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        let panel = try daemon.panel()
        kill(panel, SIGSTOP)
        for press in 0..<401 { box.set(key: base, isPressed: press % 2 == 0) }
        kill(panel, SIGCONT)
        try daemon.event("power", "\"changed\"", "\"on\"")
        box.set(key: base, isPressed: false)
        try daemon.event("power", "\"changed\"", "\"off\"")
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
    }

    private static func twinBoxes() throws {
        let left = try makeBox(place: "usb-left/input0")
        let right = try makeBox(place: "usb-right/input0")
        try writeFile(boxPanel(), to: "/tmp/inputs.yaml")
        for arguments in [["doctor", "/tmp/inputs.yaml"], ["run", "/tmp/inputs.yaml"]] {
            let refused = try Background(arguments)
            let status = try refused.end()
            try expect(status == 3, "exit code \(status): \(refused.text)")
            let offer = "write `device: \"usb-left/input0\"` or `device: \"usb-right/input0\"`"
            try expect(refused.text.contains(offer), refused.text)
        }
        let daemon = try Daemon(panel: boxPanel("usb-right/input0"))
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        left.set(key: base, isPressed: true)
        right.set(key: base, isPressed: true)
        try daemon.event("power", "\"changed\"", "\"on\"")
    }

    private static func grabbedBox() throws {
        let box = try makeBox()
        let node = box.node ?? ""
        let other = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(other) }
        // EVIOCGRAB
        try expect(ioctl(other, 0x4004_4590, 1) == 0, "the grab is refused")
        try writeFile(boxPanel(), to: "/tmp/inputs.yaml")
        let refused = try Program.run("run", "/tmp/inputs.yaml", "--listen", "off")
        try expect(refused.status == 3, "exit code \(refused.status): \(refused.text)")
        try expect(refused.text.contains("another program has grabbed \(node)"), refused.text)
    }

    private static func grabbingBox() throws {
        let box = try makeBox()
        let other = open(box.node ?? "", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(other) }
        let daemon = try Daemon(panel: boxPanel(more: ", grab: true"))
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        box.set(key: base, isPressed: true)
        try daemon.event("power", "\"changed\"", "\"on\"")
        var bytes = [UInt8](repeating: 0, count: 240)
        try expect(read(other, &bytes, bytes.count) < 0, "the other program got the key")
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
        box.set(key: base, isPressed: false)
        try expect(eventually { read(other, &bytes, bytes.count) > 0 }, "the grab did not end")
    }

    private static func missingInput() throws {
        let box = try makeBox()
        for (device, text) in [
            ("button bix", "no input device is called \"button bix\""),
            ("button box", "\"button box\" has no key KEY_A"),
        ] {
            let panel = boxPanel(device).replacing("BTN_BASE", with: "KEY_A")
            try writeFile(panel, to: "/tmp/inputs.yaml")
            let refused = try Program.run("run", "/tmp/inputs.yaml", "--listen", "off")
            try expect(refused.status == 3, "exit code \(refused.status): \(refused.text)")
            try expect(refused.text.contains(text), refused.text)
        }
        withExtendedLifetime(box) {}
    }

    private static func foundKey() throws {
        let box = try makeBox()
        let file = "/tmp/found.yaml"
        unlink(file)
        let search = try Background(["identify", "button box", "--write", file])
        try search.prints("watching 4 lines")
        box.set(key: base2, isPressed: true)
        usleep(200_000)
        box.set(key: base2, isPressed: false)
        try search.prints("push button on BTN_BASE2 of \"button box\"")
        usleep(500_000)
        for _ in 0..<6 {
            box.turn(axis: dial, by: 1)
            usleep(50_000)
        }
        try search.prints("added knob-1")
        _ = try search.stop()
        let made = try KernelFile.text(file)
        try expect(made.contains("input: {device: \"button box\", key: BTN_BASE2}"), made)
        try expect(made.contains("encoder: {device: \"button box\", axis: REL_DIAL}"), made)
        let checked = try Program.run("check", file)
        try expect(checked.status == 0, checked.text)
    }
}

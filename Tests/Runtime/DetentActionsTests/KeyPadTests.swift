import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// Keys of this machine, without pressing one. The kernel rig has a device that reads them.
@Suite struct KeyPadTests {
    private static let (control, shift, c, v): (UInt16, UInt16, UInt16, UInt16) = (29, 42, 46, 47)

    /// The changes that bytes ask the kernel for: a key, and whether it goes down.
    private static func changes(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: 48).map { place in
            let event = bytes[place..<min(place + 48, bytes.count)]
            let first = event.startIndex
            // struct input_event of 64-bit systems: two words of time, type, code, value.
            expectEqual(Array(event.dropFirst(16).prefix(2)), [1, 0], "a key")
            expectEqual(Array(event.dropFirst(40)), [UInt8](repeating: 0, count: 8), "a report")
            return "\(event[first + 18]) \(event[first + 20] == 1 ? "down" : "up")"
        }
    }

    private static func order(
        _ keys: [UInt16], _ part: PressPart, _ holder: UInt32 = 1
    ) -> KeyOrder { KeyOrder(keys, part, holder: holder) }

    @Test func aChordGoesUpInTheOtherOrder() {
        var held = HeldKeys()
        expectEqual(
            Self.changes(held.bytes(Self.order([Self.control, Self.c], .beginning))),
            ["29 down", "46 down"])
        expectEqual(held.bytes(Self.order([Self.control, Self.c], .beginning)), [], "once")
        expectEqual(
            Self.changes(held.bytes(Self.order([Self.control, Self.c], .end))),
            ["46 up", "29 up"])
        #expect(held.isEmpty)
        expectEqual(held.bytes(Self.order([Self.control, Self.c], .end)), [], "once")
    }

    @Test func aKeyThatTwoHoldGoesUpWithTheSecond() {
        var held = HeldKeys()
        _ = held.bytes(Self.order([Self.control, Self.c], .beginning, 1))
        expectEqual(
            Self.changes(held.bytes(Self.order([Self.control, Self.v], .whole, 2))), ["47 down"])
        expectEqual(
            Self.changes(held.bytes(Self.order([Self.control, Self.c], .end, 1))), ["46 up"])
        expectEqual(
            Self.changes(held.bytes(Self.order([Self.control, Self.v], .end, 2))),
            ["47 up", "29 up"])
        _ = held.bytes(Self.order([Self.shift], .beginning, 3))
        _ = held.bytes(Self.order([Self.shift, Self.c], .beginning, 4))
        expectEqual(Self.changes(held.releaseAll()), ["46 up", "42 up"])
        #expect(held.isEmpty)
    }

    /// However presses and releases follow one another, what is down is what is held.
    @Test func whatIsDownIsWhatIsHeld() {
        var random = SplitMix64(seed: 7)
        var held = HeldKeys()
        var down: Set<String> = []
        var holds: [UInt32: [UInt16]] = [:]
        for _ in 0..<2_000 {
            let holder = UInt32(random.below(4))
            let keys: [UInt16] = [[29, 46], [29, 47], [42], [46, 42, 29]][Int(holder)]
            let part: PressPart = random.below(2) == 0 ? .beginning : .end
            holds[holder] = part == .beginning ? keys : nil
            for change in Self.changes(held.bytes(Self.order(keys, part, holder))) {
                let words = change.split(separator: " ").map(String.init)
                if words[1] == "down" {
                    #expect(down.insert(words[0]).inserted, "\(words[0]) is down already")
                } else {
                    #expect(down.remove(words[0]) != nil, "\(words[0]) is up already")
                }
            }
            expectEqual(down, Set(holds.values.flatMap(\.self).map { String($0) }))
        }
    }

    @Test func aPanelHasAKeyboardAndAJoystick() throws {
        func pad(_ content: ActionField.Content) -> KeyPad? {
            KeyPad([ActionField("key", content)])
        }
        let actions = try [
            #require(pad(.text("BTN_TRIGGER"))), #require(pad(.texts(["KEY_LEFTCTRL", "KEY_C"]))),
            #require(pad(.text("KEY_C"))), #require(pad(.text("BTN_LEFT"))),
        ]
        let pads = KeyPad.pads(of: "Lab", actions)
        expectEqual(pads.map(\.name), ["Detent Lab", "Detent Lab Joystick"])
        expectEqual(pads.map(\.keys), [[29, 46, 0x110], [0x120]])
        expectEqual(actions.map { $0.isPart(of: pads[0]) }, [false, true, true, true])
        expectEqual(KeyPad.pads(of: "Lab", []), [])
        expectEqual(pad(.text("KEY_NO")), nil)
        expectEqual(pad(.texts(["KEY_C", "BTN_TRIGGER"])), nil)
        let long = KeyPad.pads(of: String(repeating: "ä", count: 100), actions)
        #expect(long.allSatisfy { $0.name.utf8.count <= 79 && $0.name.hasSuffix("ä") })
    }

    @Test(arguments: [
        (ENOENT, "sudo modprobe uinput"), (ENODEV, "sudo modprobe uinput"),
        (EACCES, "sudo usermod -aG uinput"), (EPERM, "DeviceAllow=/dev/uinput w"),
        (EIO, "/dev/uinput"),
    ])
    func aProblemHasItsRemedy(error: Int32, remedy: String) {
        #expect(KeyPad.problem(error).remedy.contains(remedy))
    }

    @Test func aProblemNamesThePlaceAndHasGoneWithIt() throws {
        let maker = "/tmp/detent-uinput-\(getpid())"
        let problem = try #require(KeyPad.problem(at: maker))
        expectEqual(problem.cause, "\(maker): the kernel's module uinput is not loaded")
        #expect(problem.remedy.contains("sudo modprobe uinput"))
        close(try Self.fake(maker))
        defer { unlink(maker) }
        #expect(KeyPad.problem(at: maker) == nil)
        let folder = try #require(KeyPad.problem(at: "/tmp"))
        #expect(folder.cause.hasPrefix("/tmp: "), "\(folder.cause)")
    }

    /// A file in place of the device: it can be opened for writing.
    private static func fake(_ path: String) throws -> Int32 {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        return file
    }

    /// Where no device can be made, the attempt tells why, and the next one tries again.
    @Test(arguments: ["/nonexistent/uinput", "/dev/null"]) func aPressThatIsImpossibleFails(
        maker: String
    ) throws {
        let wires = try Wires(
            guardian: try Guardian(), program: ["/bin/false"], maker: maker)
        defer { _ = wires.stop() }
        let outcomes = try Outcomes()
        for (run, part) in [PressPart.beginning, .end, .whole].enumerated() {
            var request = ActionRequest(
                run: RunID(UInt32(run)), .fields([ActionField("key", .text("KEY_F5"))]))
            request.part = part
            try wires.start(.key, request, tell: outcomes.tell)
        }
        #expect(outcomes.waitForEnded(3))
        expectEqual(outcomes.results.map(\.run.number), [0, 1, 2], "in their order")
        for result in outcomes.results {
            expectEqual(result.outcome, .failed(.unreachable))
            let wanted = maker == "/dev/null" ? "its process has ended" : "sudo modprobe uinput"
            #expect(result.explanation.contains(wanted), "\(result.explanation)")
        }
    }
}

import DetentHAL
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentDevices

/// Which device and key a text of the panel file means.
@Suite struct InputInventoryTests {
    private static func device(
        _ node: String, _ name: String, place: String = "", links: [String] = [],
        keys: [UInt16] = [30], axes: [UInt16] = []
    ) -> InputRecord {
        InputRecord(node: node, name: name, place: place, links: links, keys: keys, axes: axes)
    }

    private static let machine = InputInventory(
        records: [
            device("event0", "Keyboard", place: "isa0060/serio0/input0", keys: [30, 48]),
            device("event3", "button box", place: "usb-1.2/input0", links: ["by-id/usb-box-a"]),
            device("event4", "button box", place: "usb-1.3/input0"),
            device("event5", "Media", place: "usb-1.4/input0", keys: [48]),
            device("event6", "Media", place: "usb-1.4/input1", keys: [30], axes: [7]),
        ], folders: InputFolders())

    private static func line(
        _ device: String, _ number: UInt32 = 30, kind: DeviceChannel.Kind = .inputKey
    ) -> LineSettings {
        var location = LineLocation()
        location.channel = DeviceChannel(
            kind: kind, device: device, name: "KEY_X", number: number)
        return LineSettings(
            line: LineID(0), name: "x", location: location, isActiveLow: false,
            direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil))
    }

    private func found(_ line: LineSettings) -> Result<String, HALError> {
        do throws(HALError) {
            let channel = line.location.channel!
            return .success(try Self.machine.record(of: line, channel).node)
        } catch {
            return .failure(error)
        }
    }

    @Test(
        arguments: [
            ("Keyboard", 30, "event0"), ("usb-1.3/input0", 30, "event4"),
            ("by-id/usb-box-a", 30, "event3"), ("usb-box-a", 30, "event3"),
            // Two nodes of one device: the one that has the key.
            ("Media", 48, "event5"), ("Media", 30, "event6"),
        ] as [(String, UInt32, String)])
    func aTextMeansOneDevice(text: String, key: UInt32, node: String) {
        expectEqual(found(Self.line(text, key)), .success(node))
    }

    @Test func anAxisIsNoKey() {
        expectEqual(found(Self.line("Media", 7, kind: .inputAxis)), .success("event6"))
        guard case .failure(let error) = found(Self.line("Media", 7)) else {
            return #expect(Bool(false), "a key 7 was found")
        }
        expectEqual(error.code, .noSuchLine)
        expectEqual(error.remedy, "it has KEY_B, KEY_A")
    }

    @Test func twoOfOneNameAreListed() {
        guard case .failure(let error) = found(Self.line("button box")) else {
            return #expect(Bool(false), "one of two was taken")
        }
        expectEqual(error.code, .ambiguousLine)
        expectEqual(
            error.cause,
            "2 input devices are called \"button box\": usb-1.2/input0, usb-1.3/input0")
        expectEqual(
            error.remedy,
            "write `device: \"usb-1.2/input0\"` or `device: \"usb-1.3/input0\"`")
    }

    @Test func whatIsThereIsOffered() {
        guard case .failure(let error) = found(Self.line("Buttons", 48)) else {
            return #expect(Bool(false), "a device was found")
        }
        expectEqual(error.code, .noSuchChip)
        #expect(error.remedy.hasSuffix("with one that has KEY_X: \"Keyboard\", \"Media\""))
    }

    @Test(
        arguments: [
            ("", []), ("3", [0, 1]), ("8000000000000000", [63]), ("1 0 0", [128]),
            ("zz 1", [0]),
        ] as [(String, [UInt16])])
    func bitsAreCodes(text: String, codes: [UInt16]) {
        expectEqual(InputInventory.codes(text), codes)
    }

    /// The kernel's own form of the folders.
    @Test func theFoldersOfTheKernelAreRead() throws {
        let root = "/tmp/detent-input-\(getpid())"
        let device = "\(root)/class/event12/device"
        for folder in [
            root, "\(root)/class", "\(root)/class/event12", device,
            "\(device)/capabilities", "\(root)/dev", "\(root)/dev/by-id",
        ] {
            mkdir(folder, 0o700)
        }
        defer { system("rm -r \(root)") }
        for (name, text) in [
            ("name", "button box\n"), ("phys", "usb-1/input0\n"), ("capabilities/key", "4 0\n"),
            ("capabilities/rel", "80\n"),
        ] {
            let file = try #require(fopen("\(device)/\(name)", "w"))
            fputs(text, file)
            fclose(file)
        }
        fclose(fopen("\(root)/dev/event12", "w"))
        symlink("../event12", "\(root)/dev/by-id/usb-box")
        var folders = InputFolders()
        folders.classes = "\(root)/class"
        folders.devices = "\(root)/dev"
        let inventory = InputInventory.scan(folders)
        expectEqual(
            inventory.records,
            [
                InputRecord(
                    node: "event12", name: "button box", place: "usb-1/input0",
                    links: ["by-id/usb-box"], keys: [66], axes: [7])
            ])
        expectEqual(inventory.records(named: "\(root)/dev/by-id/usb-box"), inventory.records)
    }
}

import CGPIOD
import DetentHAL
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentGPIOD

/// The scan on a folder of links to devices that are no GPIO chips: what needs no GPIO chip.
@Suite struct ScanTests {
    private final class Folder {
        let path: String

        init() {
            var template = Array("/tmp/detent-scan-XXXXXX".utf8CString)
            path = template.withUnsafeMutableBufferPointer { buffer in
                mkdtemp(buffer.baseAddress.unsafelyUnwrapped).map { String(cString: $0) } ?? ""
            }
            for folder in ["dev", "bus", "sys"] { mkdir("\(path)/\(folder)", 0o755) }
        }

        var paths: DevicePaths { DevicePaths(devices: "\(path)/dev", buses: "\(path)/bus") }

        func link(_ name: String, to target: String) { symlink(target, "\(path)/dev/\(name)") }

        /// Folders and the `subsystem` links of a chip's ancestors, outermost first.
        func parents(of chip: String, _ ancestors: [(name: String, bus: String)]) {
            var folder = "\(path)/sys"
            for ancestor in ancestors {
                folder += "/\(ancestor.name)"
                mkdir(folder, 0o755)
                if ancestor.bus.isEmpty { continue }
                symlink("/nowhere/\(ancestor.bus)", "\(folder)/subsystem")
            }
            mkdir("\(folder)/\(chip)", 0o755)
            symlink("\(folder)/\(chip)", "\(path)/bus/\(chip)")
        }

        func write(_ text: String, to file: String) {
            let descriptor = open("\(path)/\(file)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            Array(text.utf8).withUnsafeBytes {
                _ = Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            close(descriptor)
        }

        deinit {
            // Folders and links alone: deepest first.
            var stack = [path]
            var order: [String] = []
            while let folder = stack.popLast() {
                order.append(folder)
                guard let stream = opendir(folder) else { continue }
                while let entry = readdir(stream) {
                    let name = withUnsafeBytes(of: entry.pointee.d_name) {
                        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                    }
                    if name == "." || name == ".." { continue }
                    let child = "\(folder)/\(name)"
                    let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
                    if isFolder { stack.append(child) } else { unlink(child) }
                }
                closedir(stream)
            }
            for folder in order.reversed() { rmdir(folder) }
        }
    }

    @Test func countsEveryDeviceOnceAndOnlyCharacterDevices() {
        let folder = Folder()
        folder.link("gpiochip10", to: "/dev/zero")
        folder.link("gpiochip2", to: "/dev/null")
        folder.link("gpiochip4", to: "/dev/null")
        folder.link("gpiochip5", to: "/etc/passwd")
        folder.link("gpiochip6", to: "/nowhere")
        folder.link("gpiochip", to: "/dev/full")
        folder.link("ttyS0", to: "/dev/full")
        let found = GPIODInventory.scan(folder.paths).chips
        expectEqual(
            found.map(\.path), ["gpiochip2", "gpiochip10"].map { "\(folder.path)/dev/\($0)" })
    }

    /// One chip that cannot be opened must not hide the others.
    @Test func reportsAChipThatCannotBeOpened() {
        let folder = Folder()
        folder.link("gpiochip0", to: "/dev/null")
        folder.link("gpiochip1", to: "/dev/zero")
        let found = GPIODInventory.scan(folder.paths).chips
        expectEqual(found.count, 2)
        #expect(found.allSatisfy { $0.errno != 0 && $0.lines.isEmpty })
        #expect(found.allSatisfy { !$0.isClosedToUs })
    }

    @Test func reportsAFolderThatIsNotThere() {
        let found = GPIODInventory.scan(DevicePaths(devices: "/nowhere", buses: "/nowhere"))
        #expect(found.chips.isEmpty)
        expectEqual(found.errno, ENOENT)
    }

    @Test(arguments: [
        (["soc:platform", "fe200000.gpio:platform"], "fe200000.gpio", "platform", false),
        (["soc:platform", "i2c-1:i2c", "1-0020:i2c"], "1-0020", "i2c", true),
        (["spi0:spi_master", "spi0.0:spi"], "spi0.0", "spi", true),
        (["i2c-1:i2c", "1-0043:i2c", "tps65219-gpio:platform"], "tps65219-gpio", "platform", true),
        (["pci0000:pci", "0000:pci", "cp2112:hid"], "cp2112", "hid", true),
        (["usb1:usb", "1-1:usb"], "1-1", "usb", true),
        (["usb1:usb", "hub:pci", "gpio-ich:platform"], "gpio-ich", "platform", false),
        (["virtual:"], "virtual", "", false),
    ])
    func tellsParentAndSlowBuses(
        ancestors: [String], parent: String, bus: String, sleeps: Bool
    ) {
        let folder = Folder()
        folder.link("gpiochip0", to: "/dev/null")
        folder.parents(
            of: "gpiochip0",
            ancestors.map { ancestor in
                let cut = ancestor.lastIndex(of: ":") ?? ancestor.endIndex
                return (
                    name: String(ancestor[..<cut]), bus: String(ancestor[cut...].dropFirst())
                )
            })
        let chip = GPIODInventory.scan(folder.paths).chips.first
        expectEqual(chip?.parent, parent)
        expectEqual(chip?.subsystem, bus)
        expectEqual(chip?.sleeps, sleeps)
        expectEqual(chip?.model, "")
    }

    /// The driver of some expanders labels the chip by its place, and only the device has a model.
    @Test func tellsTheModelOfTheParent() {
        let folder = Folder()
        folder.link("gpiochip0", to: "/dev/null")
        folder.parents(of: "gpiochip0", [("i2c-1", "i2c"), ("1-0020", "i2c")])
        folder.write("pca9535\n", to: "sys/i2c-1/1-0020/name")
        let chip = GPIODInventory.scan(folder.paths).chips.first
        expectEqual(chip?.model, "pca9535")
    }

    /// libgpiod 2 ends the process when it is given nothing: the shim must refuse first.
    @Test func refusesNothingInsteadOfAChip() {
        var chip: OpaquePointer?
        var info = detent_gpio_line_info()
        expectEqual(detent_gpio_chip_open(nil, &chip), -EINVAL)
        expectEqual(detent_gpio_chip_open("/dev/null", nil), -EINVAL)
        #expect(detent_gpio_chip_open("/dev/null", &chip) < 0)
        #expect(chip == nil)
        expectEqual(detent_gpio_line_info(nil, 0, &info), -EINVAL)
        expectEqual(detent_gpio_request(nil, "detent", nil, 1, &chip), -EINVAL)
        expectEqual(detent_gpio_group_descriptor(nil), -1)
        var edge = detent_gpio_edge()
        var isFull = false
        var levels: UInt64 = 0
        expectEqual(detent_gpio_read_edges(nil, &edge, 1, &isFull), -EINVAL)
        expectEqual(detent_gpio_get(nil, 0), -EINVAL)
        expectEqual(detent_gpio_set(nil, 0, true), -EINVAL)
        expectEqual(detent_gpio_get_mask(nil, 1, &levels), -EINVAL)
        expectEqual(detent_gpio_set_mask(nil, 1, 1), -EINVAL)
        detent_gpio_release(nil)
        detent_gpio_chip_close(nil)
    }

    @Test func knowsItsLibrary() {
        let major = GPIODInventory.libraryVersion.split(separator: ".").first
        expectEqual(major, (GPIODInventory.interface == 1 ? "1" : "2"))
        #expect(detent_gpio_batch_length() <= Int(DETENT_GPIO_BATCH_MAX))
    }

    /// A machine without the chip: errors at once, retries later, nothing else.
    @Test func opensWithErrorsWhereThereIsNoChip() {
        let folder = Folder()
        var options = GPIODBackend.Options()
        options.paths = folder.paths
        let backend = GPIODBackend(options: options)
        defer { backend.close() }
        let settings = LineSettings(
            line: LineID(3), name: "power", location: LineLocation(lineNames: ["GPIO17"]),
            isActiveLow: false, direction: .output(initial: .inactive, onRelease: .inactive))
        let errors = backend.open([settings])
        expectEqual(errors.map(\.code), [.noSuchLine])
        #expect(backend.deadline != .never)
        #expect(backend.write(LineID(3), .active, now: .zero) == nil)
        #expect(backend.read(LineID(3), now: .zero) == nil)
        #expect(backend.read(LineID(9), now: .zero) == nil)
    }
}

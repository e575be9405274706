internal import Glibc

/// The kernel's bus i2c-stub, whose devices are registers: their drivers run without hardware.
///
/// The rig's kernel has it, with devices at 0x20 to 0x23, 0x40 and 0x48. Needs root.
///
/// Synchronization: none.
public final class StubBus {
    private let folder: String
    private let file: Int32
    private var devices: Set<UInt16> = []

    /// The bus of this kernel; nil if it has none.
    public init?() {
        let found = (0..<16).first { number in
            let name = try? KernelFile.text("\(Self.root)/i2c-\(number)/name")
            return name?.hasPrefix("SMBus stub") == true
        }
        guard let found else { return nil }
        folder = "\(Self.root)/i2c-\(found)"
        file = open("/dev/i2c-\(found)", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
    }

    deinit {
        for address in devices { remove(address) }
        close(file)
    }

    private static let root = "/sys/bus/i2c/devices"

    /// Starts the driver of a device, such as `mcp23017`; returns its place, such as `0-0020`.
    public func add(_ model: String, at address: UInt16) throws -> String {
        let number = folder.split(separator: "-").last ?? ""
        let digits = String(address, radix: 16)
        let place = "\(number)-" + String(repeating: "0", count: 4 - digits.count) + digits
        guard KernelFile.put("\(model) 0x\(digits)", into: "\(folder)/new_device") else {
            throw SimChipError(path: "\(folder)/new_device", errno: errno)
        }
        devices.insert(address)
        return place
    }

    /// Stops the driver of a device.
    public func remove(_ address: UInt16) {
        KernelFile.put("0x" + String(address, radix: 16), into: "\(folder)/delete_device")
        devices.remove(address)
    }

    /// Reads a register of 16 bits.
    public func word(_ register: UInt8, of address: UInt16) throws -> UInt16 {
        try transfer(register, of: address, writing: nil)
    }

    /// Writes a register of 16 bits.
    public func write(_ word: UInt16, to register: UInt8, of address: UInt16) throws {
        _ = try transfer(register, of: address, writing: word)
    }

    /// One transfer of `I2C_SMBUS_WORD_DATA`, as linux/i2c-dev.h has it.
    private func transfer(
        _ register: UInt8, of address: UInt16, writing word: UInt16?
    ) throws -> UInt16 {
        // I2C_SLAVE_FORCE: a driver has the device, too.
        guard ioctl(file, 0x0706, Int32(address)) >= 0 else {
            throw SimChipError(path: folder, errno: errno)
        }
        // union i2c_smbus_data, whose longest member is a block of 34 bytes.
        let data = UnsafeMutableRawPointer.allocate(byteCount: 34, alignment: 2)
        // struct i2c_smbus_ioctl_data: read_write, command, size, data.
        let request = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
        defer {
            data.deallocate()
            request.deallocate()
        }
        data.storeBytes(of: word ?? 0, as: UInt16.self)
        request.storeBytes(of: word == nil ? 1 : 0, as: UInt8.self)
        request.storeBytes(of: register, toByteOffset: 1, as: UInt8.self)
        request.storeBytes(of: 3, toByteOffset: 4, as: UInt32.self)
        request.storeBytes(of: data, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
        // I2C_SMBUS
        guard ioctl(file, 0x0720, request) >= 0 else {
            throw SimChipError(path: folder, errno: errno)
        }
        return data.load(as: UInt16.self)
    }
}

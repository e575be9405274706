internal import DetentHAL
internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// The devices of a panel that are no GPIO chips: input devices of uinput, and one converter, whose
/// channels all have the same register.
struct WorldChannels {
    /// The address of the converter.
    private static let address: UInt16 = 0x48

    private var inputs: [String: UserInput] = [:]
    private var bus: StubBus?
    /// The contact of an axis that has moved alone so far, by device and axis.
    private var half: [String: UInt8] = [:]

    /// Makes the devices of these channels.
    mutating func make(_ channels: [DeviceChannel]) throws {
        for device in Set(channels.filter { $0.kind != .analog }.map(\.device)).sorted() {
            let own = channels.filter { $0.device == device }
            func codes(_ kind: DeviceChannel.Kind) -> [UInt16] {
                Set(own.filter { $0.kind == kind }.map { UInt16($0.number) }).sorted()
            }
            let input = try UserInput(
                device, place: "detent/\(device)", keys: codes(.inputKey), axes: codes(.inputAxis))
            for _ in 0..<1_000 where input.node.map({ access($0, R_OK) }) != 0 { usleep(1_000) }
            inputs[device] = input
        }
        guard channels.contains(where: { $0.kind == .analog }) else { return }
        guard let bus = StubBus() else { throw Failure("no bus i2c-stub") }
        _ = try bus.add("ads1115", at: Self.address)
        self.bus = bus
    }

    /// Moves the contact that a key or an axis stands for.
    mutating func move(_ channel: DeviceChannel, isOn: Bool) {
        guard let input = inputs[channel.device] else { return }
        let code = UInt16(channel.number)
        guard channel.kind == .inputAxis else { return input.set(key: code, isPressed: isOn) }
        // A step is an edge of each contact: the first one says which way.
        let axis = "\(channel.device) \(code)"
        guard let first = half.removeValue(forKey: axis) else {
            return half[axis] = channel.part
        }
        if first != channel.part { input.turn(axis: code, by: first == 0 ? 1 : -1) }
    }

    /// Turns a part at the converter.
    func turn(_ channel: DeviceChannel, to sample: Int32) {
        try? bus?.write(UInt16(truncatingIfNeeded: sample).byteSwapped, to: 0, of: Self.address)
    }
}

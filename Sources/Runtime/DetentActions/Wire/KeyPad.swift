import CInput
import DetentTypes
import Glibc

/// An input device that the kernel makes for a panel: with the keys that its actions press.
public struct KeyPad: Hashable, Sendable {
    /// The name by which programs find it.
    public var name: String
    /// The codes of its keys, in their order.
    public private(set) var keys: [UInt16]

    /// The file through which the kernel makes input devices.
    package static let path = "/dev/uinput"

    init(name: String = "Detent", keys: [UInt16]) {
        self.name = name
        self.keys = Set(keys).sorted()
    }

    /// The keys of an action; nil if they are none, or not of one device.
    init?(_ fields: [ActionField]) {
        let keys = Self.codes(fields)
        guard let first = keys.first else { return nil }
        self.init(keys: keys)
        guard self.keys.allSatisfy({ Self.isOfJoystick($0) == Self.isOfJoystick(first) }) else {
            return nil
        }
    }

    /// The codes of the keys of an action, in the order of the file; none if one is unknown.
    static func codes(_ fields: [ActionField]) -> [UInt16] {
        var names: [String] = []
        switch fields["key"] {
        case .text(let name): names = [name]
        case .texts(let all): names = all
        case nil, .pairs, .integer, .boolean, .duration: break
        }
        let codes = names.map { UInt16(exactly: detent_input_code(0, $0)) }
        return codes.contains(nil) ? [] : codes.compactMap(\.self)
    }

    /// Whether its keys are those of a joystick: desktops pass over a joystick, and games over a
    /// keyboard.
    var isJoystick: Bool { keys.first.map(Self.isOfJoystick) ?? false }

    private static func isOfJoystick(_ key: UInt16) -> Bool {
        detent_input_is_joystick(Int32(key)) != 0
    }

    /// Whether another one has all of its keys.
    func isPart(of other: KeyPad) -> Bool { Set(keys).isSubset(of: other.keys) }

    /// The devices of a panel: a keyboard and a joystick at most.
    ///
    /// - Parameter actions: the keys of each action.
    public static func pads(of panel: String, _ actions: [KeyPad]) -> [KeyPad] {
        [false, true].compactMap { isJoystick in
            let keys = actions.filter { $0.isJoystick == isJoystick }.flatMap(\.keys)
            var name = "Detent \(panel)" + (isJoystick ? " Joystick" : "")
            // The kernel keeps 79 bytes.
            while name.utf8.count > 79 { name.removeLast() }
            return keys.isEmpty ? nil : KeyPad(name: name, keys: keys)
        }
    }

    /// Opens the file through which the kernel makes input devices.
    static func open(_ maker: String = path) throws(Errno) -> Int32 {
        let file = Glibc.open(maker, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Errno(number: errno) }
        return file
    }

    /// Why no device can be made here, with the place and what to do; nil if one can.
    public static var problem: (cause: String, remedy: String)? { problem(at: path) }

    static func problem(at maker: String) -> (cause: String, remedy: String)? {
        do throws(Errno) {
            close(try open(maker))
            return nil
        } catch {
            let problem = problem(error.number)
            return ("\(maker): \(problem.cause)", problem.remedy)
        }
    }

    static func problem(_ error: Int32) -> (cause: String, remedy: String) {
        switch error {
        case ENOENT, ENODEV, ENXIO:
            ("the kernel's module uinput is not loaded", "run `sudo modprobe uinput`")
        case EACCES:
            (
                "the user of the panel may not write to it",
                "run `sudo usermod -aG uinput USER` with that user (`detent` for the service), and "
                    + "start the panel again; the package has the group and its udev rule"
            )
        case EPERM:
            (
                "the service or the container does not allow it",
                "add `DeviceAllow=\(path) w` to the unit, or `--device \(path)` to the container"
            )
        case _: (Errno(number: error).text, "see that `\(path)` is a device of the module uinput")
        }
    }

    /// The bytes of pressing keys, or of letting go, in their order.
    static func bytes(_ keys: [UInt16], areDown: Bool) -> [UInt8] {
        keys.flatMap { key in
            var bytes = [UInt8](repeating: 0, count: Int(DETENT_INPUT_PRESS_BYTES))
            let count = detent_input_press(&bytes, key, areDown ? 1 : 0)
            return bytes.prefix(Int(count))
        }
    }
}

/// What an action does with its keys.
struct KeyOrder: Equatable {
    var keys: [UInt16]
    var part: PressPart
    /// The action of a control, which holds its keys until it lets go.
    var holder: UInt32

    init(_ keys: [UInt16], _ part: PressPart, holder: UInt32) {
        self.keys = keys
        self.part = part
        self.holder = holder
    }
}

/// The keys that are down, and what holds them: a key that two hold goes up with the second.
struct HeldKeys: Equatable {
    private struct Hold: Equatable {
        var holder: UInt32
        var keys: [UInt16]
    }

    private var holds: [Hold] = []

    var isEmpty: Bool { holds.isEmpty }

    /// The bytes of what an order changes.
    mutating func bytes(_ order: KeyOrder) -> [UInt8] {
        switch order.part {
        case .whole, .beginning: press(order)
        case .end: release { $0.holder == order.holder }
        }
    }

    /// The bytes of letting go of all.
    mutating func releaseAll() -> [UInt8] { release { _ in true } }

    private mutating func press(_ order: KeyOrder) -> [UInt8] {
        if holds.contains(where: { $0.holder == order.holder }) { return [] }
        let free = order.keys.filter { !isDown($0) }
        holds.append(Hold(holder: order.holder, keys: order.keys))
        return KeyPad.bytes(free, areDown: true)
    }

    private mutating func release(_ isMeant: (Hold) -> Bool) -> [UInt8] {
        var ended: [UInt16] = []
        for key in holds.filter(isMeant).flatMap(\.keys) where !ended.contains(key) {
            ended.append(key)
        }
        holds.removeAll(where: isMeant)
        return KeyPad.bytes(ended.reversed().filter { !isDown($0) }, areDown: false)
    }

    private func isDown(_ key: UInt16) -> Bool { holds.contains { $0.keys.contains(key) } }
}

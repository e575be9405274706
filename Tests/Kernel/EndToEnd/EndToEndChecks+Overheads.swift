internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// The overhead panels of this repository, on the kernel's drivers of their port expanders.
extension EndToEndChecks {
    static let overheads: [(name: String, run: @Sendable () throws -> Void)] = [
        ("overhead: forty switches on the drivers of three MCP23017", fortySwitches),
        ("overhead: contacts and lamps on the drivers of four PCA9505", cockpit),
    ]

    /// A line of a panel file with `input: CHIP.NUMBER`.
    private struct Switch {
        var id: String
        var chip: String
        var offset: Int

        init?(_ line: Substring) {
            guard line.contains("{kind: switch"), let key = line.firstRange(of: "input: ") else {
                return nil
            }
            let place = line[key.upperBound...].prefix { !",}".contains($0) }.split(separator: ".")
            guard place.count == 2, let offset = Int(place[1]) else { return nil }
            id = String(line.prefix { $0 != ":" }.drop { $0 == " " })
            chip = String(place[0])
            self.offset = offset
        }
    }

    /// The file of a panel on the bus of the rig, whose interrupt lines nobody has connected.
    private static func file(_ path: String, on place: String) throws -> [String] {
        let bus = place.prefix { $0 != "-" }
        return try KernelFile.text("\(project)/\(path)").split(separator: "\n").map { line in
            let line = String(line).replacing("i2c: 1-", with: "i2c: \(bus)-")
            guard let key = line.firstRange(of: ", interrupt: ") else { return line }
            return line[..<key.lowerBound] + "}"
        }
    }

    private static func fortySwitches() throws {
        // The machine for arm64 has a distribution's kernel, without this bus.
        guard let bus = StubBus() else { return }
        // Both ports in one register of 16 bits: GPIO, where a closed contact is 0.
        let levels: UInt8 = 0x12
        let addresses: [String: UInt16] = ["left": 0x20, "middle": 0x21, "right": 0x22]
        for address in addresses.values { try bus.write(0xFFFF, to: levels, of: address) }
        let places = try addresses.values.sorted().map { try bus.add("mcp23017", at: $0) }
        let act = try program("sim-bridge", "echo \"$*\" >> $0.log")
        let lines = try file("docs/examples/short/overhead.yaml", on: places[0]).map {
            $0.replacing("sim-bridge", with: act).replacing(
                "board: raspberry-pi-4b", with: "board: none")
        }
        let switches = lines.compactMap { Switch($0[...]) }
        try expect(switches.count == 40, "\(switches.count) switches")
        let daemon = try Daemon(panel: lines.joined(separator: "\n"))
        try daemon.event("wheel-well", "\"confirmed\"", "\"off\"")
        var closed: [String: UInt16] = [:]
        for one in switches {
            guard let address = addresses[one.chip] else { throw Failure(description: one.chip) }
            closed[one.chip, default: 0] |= 1 << one.offset
            try bus.write(0xFFFF & ~closed[one.chip, default: 0], to: levels, of: address)
            let event = try daemon.event(one.id, "\"changed\"")
            try expect(event.contains("\"value\": \"on\""), event)
        }
        try daemon.event("wheel-well", "\"confirmed\"", "\"on\"")
        let told = log("sim-bridge")
        for one in switches {
            try expect(told.contains("set \(one.id) on\n"), "\(one.id) is not told: \(told)")
        }
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
    }

    private static func cockpit() throws {
        guard let bus = StubBus() else { return }
        let chips = try PortExpanders(
            bus, ["left": 0x20, "middle": 0x21, "right": 0x22, "lamps": 0x23])
        let pi = try SimChip(name: "pinctrl-bcm2711", lines: [String](repeating: "", count: 28))
        defer { pi.remove() }
        let simulator = try Datagrams(port: 7778)
        let lines = try file("panels/flight-overhead/panel.yaml", on: chips.place).map {
            $0.replacing("sim.lan:7778", with: "127.0.0.1:7778")
        }
        let daemon = try Daemon(panel: lines.joined(separator: "\n"))
        try daemon.event("taxi-light", "\"confirmed\"", "\"off\"")

        let switches = lines.compactMap { Switch($0[...]) }.filter { $0.id != "battery" }
        try expect(switches.count == 38, "\(switches.count) switches")
        for one in switches {
            daemon.forget()
            try chips.move("\(one.chip).\(one.offset)", isClosed: true)
            try daemon.event(one.id, "\"changed\"", "\"on\"", "\"panel\"")
            try chips.move("\(one.chip).\(one.offset)", isClosed: false)
            try daemon.event(one.id, "\"changed\"", "\"off\"", "\"panel\"")
        }
        // The guard of the battery is lifted first. Without a generator its annunciators are lit.
        try chips.show([])
        try chips.move("left.1", isClosed: true)
        try chips.move("left.0", isClosed: true)
        try daemon.event("battery", "\"confirmed\"", "\"on\"")
        let annunciators = [2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 16]
        try chips.show(annunciators)
        try chips.move("left.17", isClosed: true)
        try daemon.event("generator-1", "\"confirmed\"", "\"on\"")
        try chips.show(annunciators.filter { $0 != 2 && $0 != 4 })
        // The lamp test lights each lamp, and no magnet.
        try chips.move("right.10", isClosed: true)
        try chips.show(Array(0...20))
        let told = simulator.texts()
        for text in switches.flatMap({ ["\($0.id) 1\n", "\($0.id) 0\n"] }) + ["battery 1\n"] {
            let text = text.uppercased().replacing("-", with: "_")
            try expect(told.contains(text), "no \(text) among \(told)")
        }
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
        try chips.show([])
    }
}

/// Port expanders PCA9505: five ports of eight lines, each with a register of its levels.
private final class PortExpanders {
    /// The place of the first one, such as `0-0020`.
    let place: String
    private let bus: StubBus
    private let addresses: [String: UInt16]
    private var levels: [String: [UInt16]]

    // With the bit 0x80 the chip counts registers on.
    private static let inputs: UInt8 = 0x80
    private static let outputs: UInt8 = 0x88
    private static let directions: UInt8 = 0x98

    /// Starts their drivers, with all contacts open.
    init(_ bus: StubBus, _ addresses: [String: UInt16]) throws {
        self.bus = bus
        self.addresses = addresses
        levels = addresses.mapValues { _ in [UInt16](repeating: 0xFF, count: 5) }
        for address in addresses.values {
            for port: UInt8 in 0..<5 { try bus.write(0xFF, to: Self.inputs + port, of: address) }
        }
        place = try addresses.values.sorted().map { try bus.add("pca9505", at: $0) }[0]
    }

    /// Moves the contact at a line such as `left.3`, which is low when it is closed.
    func move(_ line: String, isClosed: Bool) throws {
        let words = line.split(separator: ".")
        guard words.count == 2, let address = addresses[String(words[0])],
            let offset = Int(words[1]), var ports = levels[String(words[0])]
        else { throw Failure(description: line) }
        let bit: UInt16 = 1 << (offset % 8)
        ports[offset / 8] = isClosed ? ports[offset / 8] & ~bit : ports[offset / 8] | bit
        levels[String(words[0])] = ports
        try bus.write(ports[offset / 8], to: Self.inputs + UInt8(offset / 8), of: address)
    }

    /// Waits until these lines of `lamps` are driven high, and no others.
    func show(_ lamps: [Int]) throws {
        var found: [Int] = []
        let isSo = eventually(seconds: 10) {
            found = (try? lit()) ?? []
            return found == lamps
        }
        try expect(isSo, "\(found) are lit instead of \(lamps)")
    }

    private func lit() throws -> [Int] {
        guard let address = addresses["lamps"] else { return [] }
        var lit: [Int] = []
        for port in 0..<5 {
            let driven = try bus.word(Self.outputs + UInt8(port), of: address)
            let isInput = try bus.word(Self.directions + UInt8(port), of: address)
            lit += (0..<8).filter { (driven & ~isInput) >> $0 & 1 == 1 }.map { port * 8 + $0 }
        }
        return lit
    }
}

/// What arrives at a port of this machine.
private final class Datagrams {
    private let file: Int32

    init(port: UInt16) throws {
        file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try expect(status == 0, "port \(port): errno \(errno)")
        _ = fcntl(file, F_SETFL, O_NONBLOCK)
    }

    deinit { close(file) }

    /// The texts that have arrived.
    func texts() -> Set<String> {
        var texts: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while true {
            let count = recv(file, &buffer, buffer.count, 0)
            guard count >= 0 else { return texts }
            texts.insert(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}

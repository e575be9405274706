internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// Converters: the kernel's driver of an ADS1115 on a bus of registers.
extension EndToEndChecks {
    static let analog: [(name: String, run: @Sendable () throws -> Void)] = [
        ("analog: a channel is a dial, and starts at its position", turnedDial),
        ("analog: a converter that goes is a fault, and works again", unpluggedConverter),
        ("analog: a missing converter and a missing channel are told", missingConverter),
        ("analog: identify and measure tell the channel and its ends", foundChannel),
        ("analog: what is recorded is replayed", recordedTurn),
    ]

    private static let address: UInt16 = 0x48

    private static func bus() throws -> StubBus {
        guard let bus = StubBus() else { throw Failure(description: "no bus i2c-stub") }
        return bus
    }

    /// What the converter samples from now on, at all of its channels.
    private static func turn(_ bus: StubBus, to sample: UInt16) throws {
        try bus.write(sample.byteSwapped, to: 0, of: address)
    }

    private static func analogPanel(_ device: String = "ads1015", channel: Int = 0) -> String {
        """
        panel: Desk
        board: none
        controls:
          volume:
            kind: dial
            label: Volume
            analog: {device: \(device), channel: \(channel), ends: [0, 20000]}
            range: {min: 0, max: 100}

        """
    }

    private static func turnedDial() throws {
        let bus = try bus()
        try turn(bus, to: 10_000)
        let place = try bus.add("ads1115", at: address)
        for device in ["ads1015", place] {
            try turn(bus, to: 10_000)
            let daemon = try Daemon(panel: analogPanel(device))
            try daemon.event("volume", "\"changed\"", "50")
            try turn(bus, to: 20_000)
            try daemon.event("volume", "\"changed\"", "100")
            try turn(bus, to: 0)
            try daemon.event("volume", "\"changed\"", "0")
            kill(daemon.process, SIGTERM)
            try expect(daemon.end() == 0, "the daemon does not end")
        }
    }

    private static func unpluggedConverter() throws {
        let bus = try bus()
        try turn(bus, to: 10_000)
        _ = try bus.add("ads1115", at: address)
        let daemon = try Daemon(panel: analogPanel())
        try daemon.event("volume", "\"changed\"", "50")
        bus.remove(address)
        try daemon.event("volume", "\"fault\"", "line")
        try turn(bus, to: 16_000)
        _ = try bus.add("ads1115", at: address)
        try daemon.event("volume", "\"fault\"", "none")
        try daemon.event("volume", "\"changed\"", "80")
    }

    private static func missingConverter() throws {
        let bus = try bus()
        _ = try bus.add("ads1115", at: address)
        for (panel, text) in [
            (analogPanel("mcp3008"), "no converter is called \"mcp3008\""),
            (analogPanel(channel: 9), "\"ads1015\" has no channel 9"),
        ] {
            try writeFile(panel, to: "/tmp/analog.yaml")
            for arguments in [["doctor", "/tmp/analog.yaml"], ["run", "/tmp/analog.yaml"]] {
                let refused = try Background(arguments)
                let status = try refused.end()
                try expect(status == 3, "exit code \(status): \(refused.text)")
                try expect(refused.text.contains(text), refused.text)
            }
        }
    }

    private static func foundChannel() throws {
        let bus = try bus()
        try turn(bus, to: 1_000)
        _ = try bus.add("ads1115", at: address)
        let file = "/tmp/found-analog.yaml"
        unlink(file)
        let search = try Background(["identify", "ads1015", "--write", file])
        try search.prints("watching 4 lines")
        usleep(200_000)
        try turn(bus, to: 21_000)
        try search.prints("potentiometer on channel 0 of \"ads1015\", from 1200 to 20800")
        try search.prints("added knob-1")
        _ = try search.stop()
        let made = try KernelFile.text(file)
        try expect(
            made.contains("analog: {device: \"ads1015\", channel: 0, ends: [1200, 20800]}"), made)
        let checked = try Program.run("check", file)
        try expect(checked.status == 0, checked.text)
        let meter = try Background(["measure", file, "knob-1"])
        try meter.prints("then press Ctrl-C")
        usleep(200_000)
        try turn(bus, to: 1_000)
        usleep(2_500_000)
        _ = try meter.stop()
        try expect(meter.text.contains("ends: [20800, 1200]"), meter.text)
    }

    private static func recordedTurn() throws {
        let bus = try bus()
        try turn(bus, to: 10_000)
        _ = try bus.add("ads1115", at: address)
        let file = "/tmp/recorded-analog.yaml"
        try writeFile(analogPanel(), to: file)
        for capture in ["/tmp/recorded.csv", "/tmp/recorded.vcd"] {
            try turn(bus, to: 10_000)
            let recording = try Background(["record", file, "-o", capture])
            try recording.prints("Ctrl-C ends it")
            usleep(200_000)
            try turn(bus, to: 20_000)
            usleep(200_000)
            _ = try recording.stop()
            try expect(recording.text.contains("0 edges, 2 samples"), recording.text)
            let replay = try Program.run("replay", file, capture)
            let values = replay.text.split(separator: "\n").filter { $0.contains("\"changed\"") }
                .compactMap { line in
                    line.firstRange(of: "\"value\": ").map {
                        line[$0.upperBound...].prefix { $0 != "," }
                    }
                }
            try expect(values == ["50", "100"], replay.text)
        }
    }
}

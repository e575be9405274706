internal import DetentGPIOD
internal import DetentHAL
internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// Checks that need a real kernel.
enum KernelChecks {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    static let all: [(name: String, run: @Sendable () throws -> Void)] = [
        ("the inventory tells chip, parent, lines and holders", inventory),
        ("a chip that may not be opened is told, with the command to type", permission),
        ("a line that a driver of the kernel has is busy", hog),
        ("the kernel's debounce works if the library has it, and is refused if not", debounce),
        ("lines without names are found by label and by parent device", unnamed),
        ("sixty-six lines on one chip all work", manyLines),
    ]

    static func expect(_ holds: Bool, _ text: @autoclosure () -> String) throws {
        if !holds { throw Failure(description: text()) }
    }

    private static func input(
        _ index: Int, _ location: LineLocation, debounce: TimeSpan? = nil
    ) -> LineSettings {
        LineSettings(
            line: LineID(UInt16(index)), name: "input\(index)", location: location,
            isActiveLow: false,
            direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: debounce))
    }

    private static func inventory() throws {
        let chip = try SimChip(
            name: "detent-inventory", lines: ["FIRST", "", "THIRD"], hogs: [2: "the-hog"])
        defer { chip.remove() }
        let found = GPIODInventory.scan().chips.first { $0.label == chip.label }
        guard let found else { throw Failure(description: "the chip is not listed") }
        try expect(found.path == "/dev/\(chip.chipName)", "path \(found.path)")
        try expect(found.parent == chip.deviceName, "parent \(found.parent)")
        try expect(found.subsystem == "platform", "bus \(found.subsystem)")
        try expect(!found.sleeps && found.errno == 0, "\(found)")
        try expect(found.lines.map(\.name) == ["FIRST", "", "THIRD"], "names \(found.lines)")
        try expect(found.lines.map(\.isUsed) == [false, false, true], "used \(found.lines)")
        try expect(found.lines[2].consumer == "the-hog", "consumer \(found.lines[2].consumer)")
    }

    private static func permission() throws {
        let chip = try SimChip(name: "detent-permission", lines: ["FIRST"])
        defer { chip.remove() }
        chmod("/dev/\(chip.chipName)", 0o600)
        let location = LineLocation(lineNames: ["FIRST"], chipLabels: [chip.label])
        let backend = GPIODBackend()
        defer { backend.close() }
        seteuid(65534)
        let errors = backend.open([input(0, location)])
        seteuid(0)
        try expect(errors.map(\.code) == [.permissionDenied], "\(errors)")
        try expect(errors[0].errno == EACCES, "errno \(errors[0].errno)")
        try expect(errors[0].cause.contains("/dev/\(chip.chipName)"), errors[0].cause)
        try expect(errors[0].remedy.contains("usermod -aG gpio"), errors[0].remedy)
        // With the rule in place, the line is retried and everything works.
        let end = KernelDriver.monotonic + .seconds(5)
        var isRestored = false
        let events = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: 16)
        defer { events.deallocate() }
        while !isRestored, KernelDriver.monotonic < end {
            let count = backend.drain(into: events, now: KernelDriver.monotonic)
            isRestored = events.prefix(count).contains { $0.kind == .restored }
            usleep(20_000)
        }
        try expect(isRestored, "the line was not retried")
    }

    private static func hog() throws {
        let chip = try SimChip(name: "detent-hog", lines: ["FIRST"], hogs: [0: "the-hog"])
        defer { chip.remove() }
        let backend = GPIODBackend()
        defer { backend.close() }
        let errors = backend.open([
            input(0, LineLocation(lineNames: ["FIRST"], chipLabels: [chip.label]))
        ])
        try expect(errors.map(\.code) == [.busy], "\(errors)")
        try expect(errors[0].holder == "the-hog", "holder \(errors[0].holder ?? "nil")")
    }

    private static func debounce() throws {
        let chip = try SimChip(name: "detent-debounce", lines: ["FIRST"])
        defer { chip.remove() }
        let location = LineLocation(lineNames: ["FIRST"], chipLabels: [chip.label])
        let backend = GPIODBackend()
        defer { backend.close() }
        let errors = backend.open([input(0, location, debounce: .milliseconds(40))])
        guard GPIODInventory.interface == 2 else {
            try expect(errors.map(\.code) == [.unsupported], "\(errors)")
            return
        }
        try expect(errors.isEmpty, "\(errors)")
        // A pulse shorter than the period disappears; a longer one does not.
        chip.pull(0, high: true)
        chip.pull(0, high: false)
        usleep(150_000)
        try expect(edges(of: backend) == [], "a short pulse came through")
        chip.pull(0, high: true)
        usleep(150_000)
        try expect(edges(of: backend) == [.active], "a long press did not come through")
    }

    private static func unnamed() throws {
        let chip = try SimChip(name: "detent-unnamed", lines: ["", ""])
        defer { chip.remove() }
        for location in [
            LineLocation(chipLabels: [chip.label], offset: 1),
            LineLocation(platformDevice: chip.deviceName, offset: 1),
            LineLocation(lineNames: ["GONE"], chipLabels: ["other", chip.label], offset: 1),
        ] {
            let backend = GPIODBackend()
            defer { backend.close() }
            let errors = backend.open([input(0, location)])
            try expect(errors.isEmpty, "\(location): \(errors)")
            chip.pull(1, high: true)
            usleep(20_000)
            try expect(edges(of: backend) == [.active], "\(location): no edge")
            chip.pull(1, high: false)
        }
    }

    /// More lines and more distinct settings than one request supports.
    private static func manyLines() throws {
        let chip = try SimChip(name: "detent-many", lines: (0..<66).map { "M\($0)" })
        defer { chip.remove() }
        let input = LineDirection.input(
            bias: .asIs, edges: .polled(every: .milliseconds(5)), kernelDebounce: nil)
        let output = LineDirection.output(initial: .inactive, onRelease: .inactive)
        let lines = (0..<66).map { (index: Int) -> LineSettings in
            let location = LineLocation(chipLabels: [chip.label], offset: UInt32(index))
            return LineSettings(
                line: LineID(UInt16(index)), name: "line\(index)", location: location,
                isActiveLow: index % 2 == 1, direction: index % 3 == 2 ? output : input)
        }
        let backend = GPIODBackend()
        defer { backend.close() }
        let errors = backend.open(lines)
        try expect(errors.isEmpty, "\(errors)")
        _ = edges(of: backend)
        for index in [0, 1, 63, 64] {
            chip.pull(index, high: true)
            usleep(20_000)
            try expect(
                edges(of: backend) == [Level(index % 2 == 0)], "line \(index) gave no edge")
        }
        for index in [2, 5, 62, 65] {
            _ = backend.write(LineID(UInt16(index)), .active, now: KernelDriver.monotonic)
            try expect(chip.isHigh(index) == (index % 2 == 0), "output \(index) did not move")
        }
    }

    private static func edges(of backend: GPIODBackend) -> [Level] {
        let events = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: 256)
        defer { events.deallocate() }
        let count = backend.drain(into: events, now: KernelDriver.monotonic)
        return events.prefix(count).compactMap {
            if case .edge(let level, _) = $0.kind { return level }
            return nil
        }
    }
}

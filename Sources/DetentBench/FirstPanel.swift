public import DetentPanel

/// A first panel file for a board: a switch with a lamp, a push button and a knob, with comments.
public enum FirstPanel {
    /// The text of the file; nil if the board has too few lines without another function.
    ///
    /// `detent check` accepts it without a warning.
    public static func text(_ board: Board) -> String? {
        let pins = Array(pins(board).prefix(5))
        guard pins.count == 5 else { return nil }
        let inputs = pins.map { input($0.header, $0.pin, board) }
        func comment(_ place: Int) -> String {
            "pin \(pins[place].pin.number) of the header \(pins[place].header.name)"
        }
        return """
            # A first panel for \(board.name). Try it without hardware: detent sim FILE
            # See its wires:  detent wiring FILE      Find your own:  detent identify --write FILE
            # Check it:       detent check FILE       Run it:         detent run FILE
            panel: My Panel
            board: \(board.id)

            controls:
              # A lever with a lamp. Each change runs a program: replace `echo` with your own.
              # \(resistor(board, pins[0].pin))
              power:
                kind: switch
                label: Power
                input: \(inputs[0])        # \(comment(0))
                indicator: \(name(pins[1].pin, on: board))    # \(comment(1))
                action:
                  run: [echo, power, "{value}"]
                  timeout: 5s

              # A push button. `detent measure` tells how long its contact bounces.
              ring:
                kind: button
                label: Ring
                input: \(inputs[2])        # \(comment(2))
                action:
                  run: [echo, ring]
                  timeout: 5s

              # A rotary encoder. If it counts the wrong way, exchange `a` and `b`.
              volume:
                kind: dial
                label: Volume
                encoder: {a: \(inputs[3]), b: \(inputs[4])}   # pins \(pins[3].pin.number) and \
            \(pins[4].pin.number)
                range: {min: 0, max: 100}
                action:
                  run: [echo, volume, "{value}"]
                  timeout: 5s

            """
    }

    private static func resistor(_ board: Board, _ pin: BoardPin) -> String {
        needsResistor(pin, board)
            ? "Each contact is between its pin and ground, with 10 kΩ from the pin to the logic "
                + "voltage."
            : "Each contact is between its pin and ground; the resistor is inside the chip."
    }

    /// Lines that have no other function, interrupts, and can be outputs; the largest header first.
    private static func pins(_ board: Board) -> [(header: BoardHeader, pin: BoardPin)] {
        let headers = board.headers.sorted { $0.pins.count > $1.pins.count }
        return headers.flatMap { header in
            header.pins.filter { pin in
                pin.kind == .gpio && pin.bus == nil && pin.warning == nil && pin.fixedPull == nil
                    && !pin.isInputOnly && pin.hasInterrupt
                    && pin.chip.flatMap(board.chip)?.edges != BoardChip.Edges.none
            }.map { (header, $0) }
        }
    }

    private static func needsResistor(_ pin: BoardPin, _ board: Board) -> Bool {
        switch pin.chip.flatMap(board.chip)?.bias {
        case .works, nil: false
        case .ignored, .unknown: true
        }
    }

    /// How a panel file names a pin: by its own name, or as `pin 11`.
    public static func name(_ pin: BoardPin, on board: Board) -> String {
        // A name that several pins have, or that YAML or the reader would not take, is no name.
        let isPlain = pin.name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x5F
        }
        let isUnique = board.pins.count { $0.pin.name == pin.name } == 1
        guard isPlain, isUnique, pin.name.contains("GPIO") else {
            let header =
                board.headers.count == 1
                ? "" : (board.pins.first { $0.pin == pin }?.header.name ?? "") + "."
            return "pin \(header)\(pin.number)"
        }
        return pin.name
    }

    private static func input(_ header: BoardHeader, _ pin: BoardPin, _ board: Board) -> String {
        let line = name(pin, on: board)
        guard needsResistor(pin, board) else { return line }
        return line.hasPrefix("pin ")
            ? "{pin: \(line.dropFirst(4)), bias: disabled}" : "{line: \(line), bias: disabled}"
    }
}

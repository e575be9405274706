public import DetentPanel
import DetentTypes

/// A first panel file for a board: a switch with a lamp, a push button and a knob, with comments.
public enum FirstPanel {
    /// The text of the file; nil if the board has too few lines that are known for sure and have
    /// no other function.
    ///
    /// `detent check` accepts it without a warning. A board whose lines have no interrupts gets no
    /// knob.
    public static func text(_ board: Board) -> String? {
        let prompt = pins(board).filter { pin in
            pin.hasInterrupt && pin.chip.flatMap(board.chip)?.edges != BoardChip.Edges.none
        }
        let pins = prompt.count >= 5 ? Array(prompt.prefix(5)) : Array(pins(board).prefix(3))
        guard pins.count >= 3 else { return nil }
        let hasKnob = pins.count == 5
        let comment = """
            # \(resistor(board, pins[0]))
              # The lever is on pin \(pins[0].number), the lamp on pin \(pins[1].number).
            """
        return head(board)
            + power(contact(pins[0], board), name(pins[1], on: board), comment)
            + ring(contact(pins[2], board), "A push button on pin \(pins[2].number).")
            + (hasKnob
                ? volume(
                    contact(pins[3], board), contact(pins[4], board),
                    "A rotary encoder on pins \(pins[3].number) and \(pins[4].number).") : "")
    }

    /// The text of the file for the simulator alone: its lines have names, and no pins yet.
    ///
    /// `detent check` accepts it without a warning.
    public static let withoutBoard =
        """
        # A first panel for the simulator. On a board, write its name in place of `none`, and its
        # lines in place of these: `detent boards` lists both.
        # Try it:                   detent sim FILE
        # Check it:                 detent check FILE
        panel: My Panel
        board: none

        controls:

        """
        + power("POWER", "POWER-LAMP", "# Its lines may have any name while there is no board.")
        + ring("RING", "A push button.") + volume("VOLUME-A", "VOLUME-B", "A rotary encoder.")

    private static func head(_ board: Board) -> String {
        """
        # A first panel for \(board.name).
        # Try it without hardware:  detent sim FILE
        # See its wires:            detent wiring FILE
        # Find your own wires:      detent identify --write FILE
        # Check it:                 detent check FILE
        # Run it:                   detent run FILE
        panel: My Panel
        board: \(board.id)

        controls:

        """
    }

    private static func power(_ input: String, _ lamp: String, _ comment: String) -> String {
        """
          # A lever with a lamp. Each change runs a program: replace `echo` with your own.
          \(comment)
          power:
            kind: switch
            label: Power
            input: \(input)
            indicator: \(lamp)
            action:
              run: [echo, power, "{value}"]
              timeout: 5s


        """
    }

    private static func ring(_ input: String, _ comment: String) -> String {
        """
          # \(comment)
          # `detent measure` tells how long its contact bounces.
          ring:
            kind: button
            label: Ring
            input: \(input)
            action:
              run: [echo, ring]
              timeout: 5s

        """
    }

    private static func volume(_ a: String, _ b: String, _ comment: String) -> String {
        """

          # \(comment)
          # If it counts the wrong way, exchange `a` and `b`.
          volume:
            kind: dial
            label: Volume
            encoder:
              a: \(a)
              b: \(b)
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

    /// Lines that are known for sure, have no other function and can be outputs; those of the
    /// largest header first.
    private static func pins(_ board: Board) -> [BoardPin] {
        let headers = board.headers.sorted { $0.pins.count > $1.pins.count }
        return headers.flatMap { header in
            header.pins.filter { pin in
                pin.kind == .gpio && pin.bus == nil && pin.warning == nil && pin.fixedPull == nil
                    && !pin.isInputOnly
            }
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

    private static func contact(_ pin: BoardPin, _ board: Board) -> String {
        let line = name(pin, on: board)
        guard needsResistor(pin, board) else { return line }
        return line.hasPrefix("pin ")
            ? "{pin: \(line.dropFirst(4)), bias: disabled}" : "{line: \(line), bias: disabled}"
    }
}

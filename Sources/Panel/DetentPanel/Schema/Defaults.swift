import DetentCore
import DetentTypes

/// The default of each key that has one: the reader uses it, and the schema and the documents
/// print it.
///
/// A default of the core is taken from the core's settings.
enum Defaults {
    /// How long a position of a selector or a three-way lever must hold before it counts.
    static let settle = SelectorSettings(positions: 0).settle
    /// How long a turn must rest before its value counts. 300 ms is three times the pause between
    /// two detents in a slow turn.
    static let turnSettle = TimeSpan.milliseconds(300)
    /// Holding an encoder's push this long goes back. 600 ms is longer than any ordinary press.
    static let backHold = TimeSpan.milliseconds(600)
    /// How long a chord is held: what confirms must have been seen.
    static let chordHold = ConfirmSettings.armingPause
    /// After this time without a press, the focus of a turn is dropped.
    static let focusCloseAfter = TimeSpan.seconds(5)
    /// After this time without a touch, a menu closes.
    static let menuCloseAfter = TimeSpan.seconds(10)
    /// The longest press that latches with `latch: tap-or-hold`.
    static let tapOrHold = TimeSpan.milliseconds(300)
    /// How often a line without interrupts is read. 2 ms is half the shortest pulse of an encoder
    /// that is turned fast.
    static let polling = TimeSpan.milliseconds(2)

    /// The band around a border of an analog part, in percent of its way.
    static let hysteresis = "1%"
    /// 1 kHz: no eye sees it, and every chip has it.
    static let pulsePeriod = TimeSpan.milliseconds(1)

    /// Whether other programs get nothing from an input device.
    static let grabsInput = false

    /// Events that are kept: 20 MB, which is a month of a panel that is used all day.
    static let historyRows = 100_000

    /// The time of `algorithm: eager`.
    static let eagerTime = DebounceSettings.button.algorithm.time ?? .zero
    /// The time of `algorithm: defer`.
    static let deferTime = DebounceSettings.lever.algorithm.time ?? .zero
    /// Both times of `algorithm: asymmetric`.
    static let asymmetricTime = TimeSpan.milliseconds(5)
    /// The time of `algorithm: integrator`.
    static let integratorTime = TimeSpan.milliseconds(50)
    /// How often `algorithm: integrator` samples the line.
    static let integratorSample = TimeSpan.milliseconds(1)

    /// Letters in a row of a display, and its rows: those of the most common character display.
    static let displayColumns = 16
    static let displayRows = 2
    /// Digits of a row that the kernel writes: those of most such displays.
    static let displayDigits = 4
    /// After this time without a touch, a display returns to its first control.
    static let displayReturn = TimeSpan.seconds(10)
    /// How often an idle connection to a broker is tested.
    static let keepAlive = TimeSpan.seconds(30)

    /// The time between two requests of a feedback.
    static let feedbackPeriod = TimeSpan.seconds(5)

    /// The time before the first retry of an action.
    static let backoff = TimeSpan.seconds(1)
    /// How one of `outputs` replaces another.
    static let transition = "break-before-make"
    /// The level of an output after the program ends.
    static let exitLevel = ExitLevel.off
    /// How a part behaves after the value was changed elsewhere.
    static let mismatch = MismatchPolicy.follow
    /// The purpose of a button.
    static let role = ButtonRole.normal
    static let style = ButtonStyle.normal
    static let size = ButtonSize.regular
    static let showsLabel = false
    /// The resistor inside the chip.
    static let bias = ContactPlan.Bias.pullUp
    /// How the contacts of a selector name its position.
    static let coding = SelectorSettings(positions: 0).coding
    /// What restarts the time of `algorithm: eager`.
    static let window = DebounceSettings.EagerWindow.restart

    /// Which argument of a message is the report.
    static let messageArgument = 1

    /// The row of a control in its group.
    static let row = 1
    /// The columns that a control takes in its row.
    static let span = 1
    /// Transitions of an encoder from one detent to the next.
    static let transitions = Int(EncoderSettings().transitions)
    /// The brightness of a lamp, in percent.
    static let brightness = Int(IndicatorSettings().brightness)
    /// The current of one lamp, in milliamperes.
    static let lampMilliamperes = 5
    /// The change of a dial for one detent.
    static let step = 1
    /// What one detent counts in `{steps}`.
    static let stepsOfDetent = 1
    /// Whether one press does one thing.
    static let isExclusive = true
    /// What a number of a dial is multiplied by for its device, and what is added then.
    static let scale = 1
    static let offset = 0
    /// Whether a dial wraps from one end to the other.
    static let wraps = false
    /// The largest number of steps of a dial per detent.
    static let acceleration = 1
    /// The smallest number of chosen segments.
    static let minimumSegments = 0
}

/// The default of a key in the schema and the documents.
struct KeyDefault: Sendable, ExpressibleByStringInterpolation {
    /// The default in words; empty if the key has none.
    let text: String
    /// The default as a value of the file, if it is one: a file with it means the same as a file
    /// without the key.
    let value: String?

    /// Makes a default that is a rule, not a value.
    init(stringLiteral text: String) {
        self.text = text
        value = nil
    }

    private init(_ value: String, _ note: String) {
        text = value + note
        self.value = value
    }

    /// A rule, for a text that is not one literal.
    static func described(_ text: String) -> KeyDefault { KeyDefault(stringLiteral: text) }

    /// A duration; `note` is printed after it.
    static func value(_ span: TimeSpan, note: String = "") -> KeyDefault {
        KeyDefault(DurationText.text(span), note)
    }

    /// A number with its unit.
    static func value(_ number: Int, unit: String = "") -> KeyDefault {
        KeyDefault("\(number)\(unit)", "")
    }

    /// A boolean.
    static func value(_ flag: Bool) -> KeyDefault { KeyDefault(flag ? "true" : "false", "") }

    /// A duration for one case, with the durations for other cases.
    static func value(
        _ span: TimeSpan, _ use: String, others: [(TimeSpan, String)]
    ) -> KeyDefault {
        let notes = others.map { ", \(DurationText.text($0.0)) \($0.1)" }
        return KeyDefault(DurationText.text(span), " " + use + notes.joined())
    }

    /// A text of the file.
    static func text(_ text: String) -> KeyDefault { KeyDefault(text, "") }

    /// A word of the key.
    static func word(_ word: String) -> KeyDefault { KeyDefault(word, "") }

    /// A word of the key.
    static func word(_ value: some FileWord) -> KeyDefault { KeyDefault(value.word, "") }
}

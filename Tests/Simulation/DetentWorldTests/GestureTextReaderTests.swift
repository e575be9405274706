import DetentCore
import DetentTypes
import DetentWorld
import TestPanels
import TestSupport
import Testing

/// Words that a person types become gestures, or say what is missing.
struct GestureTextReaderTests {
    private let words = GestureTextReader(PartsPanel.plan)

    static let known: [(String, GestureTextReader.Request)] = [
        ("press bus CAM 1", .gesture(.press(PartsPanel.bus))),
        ("press bus 3", .gesture(.press(PartsPanel.bus, button: 2))),
        ("release menu back", .gesture(.release(PartsPanel.menu, button: 3))),
        ("click left", .gesture(.click(PartsPanel.left, hold: Gesture.clickHold))),
        ("hold left 2s", .gesture(.click(PartsPanel.left, hold: .seconds(2)))),
        ("hold bus CAM 2 2s", .gesture(.click(PartsPanel.bus, button: 1, hold: .seconds(2)))),
        ("cover arm open", .gesture(.cover(PartsPanel.arm, isOpen: true))),
        ("cover arm shut", .gesture(.cover(PartsPanel.arm, isOpen: false))),
        ("flip lamp on", .gesture(.flip(PartsPanel.lamp, to: 1))),
        ("set bus CAM 2", .tell(.intent(PartsPanel.bus, Value(1), .api))),
        ("set features A+C", .tell(.intent(PartsPanel.features, Value(5), .api))),
        ("set left press", .tell(.fire(PartsPanel.left, .on, .api, isConfirmed: false))),
        ("set menu Reboot", .tell(.fire(PartsPanel.menu, Value(2), .api, isConfirmed: false))),
        ("confirm reboot press", .tell(.fire(PartsPanel.reboot, .on, .api, isConfirmed: true))),
        ("feedback lamp on", .tell(.feedback(PartsPanel.lamp, .on))),
    ]

    @Test("it understands", arguments: known)
    func understands(text: String, request: GestureTextReader.Request) throws {
        expectEqual(try words.request(text), request)
    }

    static let wrong: [(text: String, cause: String, remedy: String)] = [
        ("press bus", "bus has several buttons", "one of: CAM 1, CAM 2, Black"),
        ("press bus CAM 9", "bus has no button `CAM 9`", "CAM 1"),
        ("press menu Beep", "menu has no button `Beep`", "up, down, select, back"),
        ("press left 1", "left has no button `1`", "it is a push button"),
        ("hold bus 2s", "bus has several buttons", "one of"),
        ("hold bus CAM 1", "`1` is not a duration", "such as 2s"),
        ("cover arm", "`cover` needs a word", "`open` or `shut`"),
        ("set menu", "menu needs an event", "one of: Status, Beep, Reboot"),
        ("set menu Bep", "`Bep` is not an event of menu", "Beep"),
        ("set left on", "`on` is not an event of left", "one of: press"),
        ("set features D", "`D` is not a value of features", "joined by +: A, B, C"),
        ("confirm lamp on", "lamp has values; only events", "write `set lamp VALUE`"),
        ("feedback reboot on", "reboot has no value", "press"),
        ("feedback lamp", "lamp needs a value", "one of: off, on"),
    ]

    @Test("it says what is wrong and what would help", arguments: wrong)
    func says(text: String, cause: String, remedy: String) throws {
        let problem = try #require(throws: GestureTextReader.Problem.self) {
            try words.request(text)
        }
        #expect(problem.cause.contains(cause), "\(problem)")
        #expect(problem.remedy.contains(remedy), "\(problem)")
    }
}

import DetentPanel
@testable import DetentScenario
import DetentTypes
import TestPanels
import TestSupport
import Testing

import DetentWorld

/// Scenarios with rows of buttons, covers, menus, contracts and outputs.
struct PartScenarioTests {
    private func read(_ steps: String) -> ScenarioReader.Reading {
        let text = "panel: parts.yaml\nbounce: none\nsteps:\n" + steps + "\n"
        return ScenarioReader.read(SourceText(file: "t.yaml", text: text)) { _ in
            (PartsPanel.plan, [])
        }
    }

    private func play(_ steps: String) throws -> ScenarioResult {
        let reading = read(steps)
        let texts = reading.problems.map(ProblemRenderer.text)
        return VirtualPlayer.run(try #require(reading.scenario, "\(texts)"))
    }

    static let accepted: [(what: String, steps: String)] = [
        (
            "a button of a row",
            """
              - press: {bus: CAM 2}
              - expect: {bus: {value: CAM 2, event: {pressed: CAM 2}}}
              - release: {bus: CAM 2}
              - expect: {bus: {event: {released: CAM 2}}}
              - click: {bus: 3}
              - expect: {bus: {value: Black, event: {changed: Black}}}
              - click: {bus: {button: CAM 1, for: 50ms}}
              - expect: {bus: {value: CAM 1, event: changed}}
            """
        ),
        (
            "two fingers on one row, and up again one by one",
            """
              - press: {features: [A, C]}
              - expect: {features: A+C}
              - expect: {features: {value: [A, C]}}
              - release: {features: A}
              - release: {features: C}
              - hold: {features: {button: [A, C], for: 300ms}}
              - expect: {features: none}
            """
        ),
        (
            "a list that is closed as on the page",
            """
              - click: {menu: select}
              - close: menu
              - expect: {menu: {event: closed, focus: none}}
              - click: {menu: select}
              - expect: {menu: {event: opened, focus: Status}}
              - close: {menu: api}
              - expect: {menu: {event: closed, focus: none}}
            """
        ),
        (
            "a row without names has numbers",
            """
              - click: {keys: 2}
              - expect: {keys: {event: {pressed: 2}}}
              - click: {keys: 1}
              - expect: {keys: {event: {chosen: 1}}}
            """
        ),
        (
            "a menu by few buttons, with a hold before what is destructive",
            """
              - click: {menu: select}
              - expect: {menu: {event: opened, focus: Status}}
              - click: {menu: down}
              - click: {menu: down}
              - expect: {menu: {event: {focused: Reboot}, focus: Reboot, progress: 0}}
              - press: {menu: select}
              - wait: 510ms
              - expect: {menu: {event: {progress: 50}, progress: 50}}
              - release: {menu: select}
              - expect: {menu: {event: {progress: 0}, progress: 0, focus: Reboot}}
              - hold: {menu: {button: select, for: 1100ms}}
              - expect: {menu: {event: {chosen: Reboot}, focus: none}}
              - click: {menu: select}
              - click: {menu: back}
              - expect: {menu: {event: closed}}
            """
        ),
        (
            "a guard, shut at first",
            """
              - click: arm
              - expect: {arm: {event: {refused: guarded}}}
              - cover: {arm: open}
              - click: arm
              - expect: {arm: {event: clicked}}
              - cover: {arm: shut}
              - click: {arm: 100ms}
              - expect: {arm: {event: {refused: guarded}}}
            """
        ),
        (
            "a cover over a lever moves the lever's contact not at all",
            """
              - cover: {lamp: open}
              - flip: {lamp: on}
              - expect: {lamp: {position: on, value: on}}
              - cover: {lamp: shut}
              - expect: {lamp: {position: on, value: on}}
              - flip: {lamp: off}
              - expect: {lamp: {position: off}}
            """
        ),
        (
            "two controls at one moment",
            """
              - press: [left, right]
              - release: [left, right]
              - hold: {left: 500ms, right: {for: 300ms}}
              - expect: {left: {event: released}, right: {event: released}}
            """
        ),
        (
            "events from outside, some of them confirmed",
            """
              - set: left
              - set: {left: press}
              - set: {menu: Beep}
              - expect: {menu: {event: {chosen: Beep}}}
              - set: {reboot: press}
              - expect: {reboot: {event: {refused: needs-confirmation}}}
              - set: {reboot: {value: press, confirm: true}}
              - expect: {reboot: {event: phase}}
              - set: {menu: {value: Reboot, confirm: false}}
              - expect: {menu: {event: {refused: needs-confirmation}}}
              - set: {features: [B, C]}
              - expect: {features: B+C}
            """
        ),
        (
            "what a device tells",
            """
              - feedback: {lamp: on}
              - expect: {lamp: {value: on, actual: on, event: {confirmed: on}}}
              - feedback: {features: [A]}
              - expect: {features: {actual: A}}
            """
        ),
        (
            "levels of outputs and contacts by their lines",
            """
              - expect: {lines: {bus-out0: active, bus-out1: inactive, arm-1: active}}
              - click: {bus: CAM 2}
              - expect: {lines: {bus-out0: inactive, bus-out1: active, bus-1: inactive}}
              - press: {bus: CAM 1}
              - wait-until: {lines: {bus-0: active, bus-out0: active}}
                within: 1s
            """
        ),
    ]

    @Test("it plays", arguments: accepted)
    func accepts(what: String, steps: String) throws {
        let result = try play(steps)
        #expect(result.isPassed, "\(what): \(result.text)")
    }

    @Test("gestures of one verb begin at one moment, and two hands are not in each other's way")
    func atOnce() throws {
        let result = try play("  - press: [left, right]\n  - press: {features: [A, C]}")
        for events in [
            result.events.filter { $0.contains("\"left\"") || $0.contains("\"right\"") },
            result.events.filter { $0.contains("features") && $0.contains("pressed") },
        ] {
            let pressed = events.filter { $0.contains("\"pressed\"") }
            expectEqual(pressed.count, 2)
            expectEqual(Set(pressed.map { $0.prefix { $0 != "," } }).count, 1, "\(pressed)")
        }
    }

    static let refused: [(steps: String, line: Int, column: Int, rule: String, help: String)] = [
        (
            "  - press: bus", 4, 12, "missing-key",
            "`bus` needs a button, one of CAM 1, CAM 2, Black"
        ),
        ("  - press: {bus: CAM 4}", 4, 18, "unknown-word", "one of: CAM 1, CAM 2, Black"),
        ("  - press: {bus: 0}", 4, 18, "unknown-word", "or a number from 1"),
        ("  - press: {bus: [CAM 1, x]}", 4, 26, "unknown-word", "CAM 2"),
        ("  - press: {menu: Beep}", 4, 19, "unknown-word", "one of: up, down, select, back"),
        ("  - hold: {bus: CAM 1}", 4, 12, "missing-key", "{button: …, for: 1s}"),
        ("  - hold: {left: {button: 1, for: 1s}}", 4, 19, "unknown-key", "for"),
        ("  - press: {left: 1s}", 4, 19, "wrong-type", "write `press: left`"),
        ("  - press: lamp", 4, 12, "wrong-part", "it is a lever: `flip` it to off, on; `cover`"),
        ("  - flip: {bus: CAM 1}", 4, 12, "wrong-part", "it is a row of buttons"),
        ("  - select: {reboot: on}", 4, 14, "wrong-part", "it is a push button"),
        ("  - cover: {bus: open}", 4, 13, "wrong-part", "it is a row of buttons"),
        ("  - cover: {arm: up}", 4, 18, "unknown-word", "allowed: open, shut"),
        ("  - cover: arm", 4, 12, "missing-key", "`arm` needs `open` or `shut`"),
        ("  - set: menu", 4, 10, "missing-key", "needs one of Status, Beep, Reboot"),
        ("  - set: {menu: on}", 4, 17, "unknown-word", "one of: Status, Beep, Reboot"),
        ("  - set: {reboot: on}", 4, 19, "unknown-word", "one of: press"),
        ("  - set: {lamp: {value: on, confirm: true}}", 4, 29, "unknown-key", "remove `confirm`"),
        ("  - set: {reboot: {confirm: yes}}", 4, 29, "wrong-type", "write `true` or `false`"),
        ("  - set: {features: A+D}", 4, 21, "unknown-word", "none, or some of these joined by +"),
        ("  - feedback: {reboot: press}", 4, 24, "wrong-part", "events"),
        ("  - device: lamp", 4, 13, "missing-key", "`lamp` needs a value"),
        ("  - device: {lamp: dim}", 4, 20, "unknown-word", "off, on"),
        ("  - close: lamp", 4, 12, "wrong-type", "has no list to close"),
        ("  - close: {menu: Beep}", 4, 19, "unknown-word", "api, web, mqtt"),
        ("  - expect: {arm: {event: lamp-test}}", 4, 27, "unknown-word", "changed"),
        ("  - feedback: lamp", 4, 15, "missing-key", "`lamp` needs a value"),
        ("  - expect: {menu: {focus: Off}}", 4, 28, "unknown-word", "Status, Beep, Reboot, none"),
        ("  - expect: {lamp: {focus: on2}}", 4, 28, "unknown-word", "off, on"),
        ("  - expect: {bus: {staged: CAM 9}}", 4, 28, "unknown-word", "CAM 1"),
        ("  - expect: {menu: {progress: 55}}", 4, 31, "out-of-range", "use one of 0, 10"),
        ("  - expect: {menu: {progress: 110}}", 4, 31, "out-of-range", "0 to 100"),
        ("  - expect: {arm: {event: {clicked: 1}}}", 4, 37, "wrong-type", "`event: clicked`"),
        ("  - expect: {arm: {event: {pressed: 1}}}", 4, 37, "wrong-part", "it is a push button"),
        ("  - expect: {bus: {event: {pressed: up}}}", 4, 37, "unknown-word", "CAM 1"),
        ("  - expect: {bus: {event: {refused: no}}}", 4, 37, "unknown-word", "guarded"),
        ("  - expect: {bus: {event: {changd: no}}}", 4, 28, "unknown-word", "changed"),
        (
            "  - expect: {bus: {event: {changed: Black, pressed: 1}}}", 4, 27, "conflicting-keys",
            "a step for each event"
        ),
        ("  - expect: {lines: {GPIO5: active}}", 4, 22, "unknown-line", "bus-0"),
        ("  - expect: {lines: {bus-0: on}}", 4, 29, "unknown-word", "active, inactive"),
        ("  - expect: {menu: {display: Beep}}", 4, 30, "unknown-word", "has no `display`"),
        ("  - expect: {lines: bus-0}", 4, 21, "wrong-type", "{lines: {bus-0: active}}"),
    ]

    @Test("it refuses, at the place, with cause and remedy", arguments: refused)
    func refuses(steps: String, line: Int, column: Int, rule: String, help: String) throws {
        let reading = read(steps)
        #expect(reading.scenario == nil)
        let problem = try #require(reading.problems.first)
        expectEqual(problem.rule.name, rule, "\(problem)")
        expectEqual(problem.place.line, line)
        expectEqual(problem.place.column, column, "\(problem)")
        #expect((problem.text + " " + problem.help).contains(help), "\(problem)")
    }

    static let failing: [(steps: String, found: String)] = [
        ("  - expect: {lines: {bus-out1: active}}", "found    level: inactive"),
        ("  - expect: {menu: {focus: Beep}}", "found    focus: none"),
        ("  - expect: {reboot: {progress: 50}}", "found    progress: 0"),
        ("  - expect: {bus: {staged: CAM 1}}", "found    staged: none"),
        (
            "  - click: {bus: CAM 2}\n  - expect: {bus: {event: {pressed: CAM 1}}}",
            "found    event: released CAM 2"
        ),
    ]

    @Test("an expectation that does not hold says what was found", arguments: failing)
    func fails(steps: String, found: String) throws {
        let result = try play(steps)
        expectEqual(result.failures.count, 1)
        #expect(result.text.contains(found), "\(result.text)")
    }
}

import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@Suite struct ExamplePanelTests {
    @Test func labSupplyIsClean() throws {
        let reading = PanelReader.read(file: Repository.path("panels/lab-supply/panel.yaml"))
        expectEqual(ProblemRenderer.text(reading.problems), "")
        let plan = try #require(reading.plan)
        expectEqual(
            plan.controls.map(\.id),
            ["range", "set-point", "calibrate", "erase", "test-lamps", "output"])
        expectEqual(plan.board, "raspberry-pi-5")
        expectEqual(plan.lines[0].offset, 5)
        expectEqual(plan.lines[0].chipLabels, ["pinctrl-rp1"])
    }
}

import DetentCore
import DetentPanel
import DetentTypes
import Testing

@Suite struct ExamplePanelTests {
    @Test func labSupplyIsClean() throws {
        let reading = PanelReader.read(file: Repository.path("panels/lab-supply/panel.yaml"))
        #expect(ProblemRenderer.text(reading.problems) == "")
        let plan = try #require(reading.plan)
        #expect(
            plan.controls.map(\.id)
                == ["range", "set-point", "calibrate", "erase", "test-lamps", "output"])
        #expect(plan.board == "raspberry-pi-5")
        #expect(plan.lines[0].offset == 5)
        #expect(plan.lines[0].chipLabels == ["pinctrl-rp1"])
    }
}

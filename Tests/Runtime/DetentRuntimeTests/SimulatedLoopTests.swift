import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentRuntime

/// The loop on the simulated backend, in real time but without waiting for it.
@Suite struct SimulatedLoopTests {
    private func rig(_ bounce: BounceChoice = .all(.none)) throws -> (LoopRig, SimulatedBackend) {
        let plan = try LoopRig.switches(2)
        let world = PhysicalModel(plan, seed: 1, bounce: bounce, at: MonotonicClock.now)
        let backend = SimulatedBackend(world)
        let rig = try LoopRig(plan, backend)
        _ = rig.open()
        rig.start()
        return (rig, backend)
    }

    private func flip(
        _ rig: LoopRig, _ backend: SimulatedBackend, _ position: Int
    ) throws -> Bool {
        let value = Value(Int32(position))
        try backend.apply(.flip(ControlID(0), to: position), at: MonotonicClock.now)
        return rig.turn { rig.snapshot("s0")?.desired == value }
    }

    @Test func flipBecomesAValueAndALamp() throws {
        let (rig, backend) = try rig()
        #expect(try flip(rig, backend, 1))
        expectEqual(backend.drivenLevel(of: rig.line("LAMP0")), .active)
        #expect(try flip(rig, backend, 0))
        expectEqual(backend.drivenLevel(of: rig.line("LAMP0")), .inactive)
    }

    @Test func chipThatGoesAwayIsAFaultAndIsReadWhenItIsBack() throws {
        let (rig, backend) = try rig()
        let line = rig.line("IN0")
        backend.unplug(line, at: MonotonicClock.now)
        #expect(rig.turn { rig.kinds("s0").contains(.fault(.line)) })
        try backend.apply(.flip(ControlID(1), to: 1), at: MonotonicClock.now)
        #expect(rig.turn { rig.snapshot("s1")?.desired == .on }, "the others go on")
        try backend.apply(.flip(ControlID(0), to: 1), at: MonotonicClock.now)
        backend.replug(line, at: MonotonicClock.now)
        #expect(rig.turn { rig.kinds("s0").contains(.fault(.none)) })
        expectEqual(rig.snapshot("s0")?.position, .on, "what happened meanwhile is read")
        #expect(try flip(rig, backend, 0), "edges count from one again")
    }

    @Test func lostEdgesAreRepairedByReading() throws {
        let (rig, backend) = try rig()
        backend.loseEdges(of: rig.line("IN0"), count: 1)
        try backend.apply(.flip(ControlID(0), to: 1), at: MonotonicClock.now)
        try backend.apply(.flip(ControlID(0), to: 0), at: MonotonicClock.now)
        #expect(rig.turn { rig.kinds("s0").contains(.lost(count: 1)) })
        expectEqual(rig.snapshot("s0")?.desired, .off)
        #expect(try flip(rig, backend, 1))
        expectEqual(rig.snapshot("s0")?.lost, 1)
    }
}

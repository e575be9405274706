import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Facts about each algorithm, drawn as timelines.
@Suite struct DebounceTimelineTests {
    static let eager = DebounceSettings(algorithm: .eager(time: .milliseconds(5), window: .restart))
    static let fixed = DebounceSettings(algorithm: .eager(time: .milliseconds(5), window: .fixed))
    static let deferred = DebounceSettings(algorithm: .defer(time: .milliseconds(5)))
    static let asymmetric = DebounceSettings(
        algorithm: .asymmetric(press: .milliseconds(3), release: .milliseconds(5)))
    static let integrator = DebounceSettings(
        algorithm: .integrator(sample: .milliseconds(1), samples: 3))

    @Test(arguments: [
        Timeline(
            "bounce on both edges is told once, at once",
            raw: "__#_#######_#_____", out: "__#########_______"),
        Timeline(
            "a pulse inside the window is told, then corrected",
            raw: "__#_________", out: "__######____"),
        Timeline(
            "a storm restarts the window until it is over",
            raw: "__#_#_#_#_#_________", out: "__##############____"),
    ])
    func eagerRestart(timeline: Timeline) {
        expectEqual(timeline.drawn(Self.eager), timeline.expected)
    }

    @Test(arguments: [
        Timeline(
            "the window counts from the reported edge",
            raw: "__#_#_#_#_____", out: "__#####_______"),
        Timeline(
            "a level that differs at its end is corrected",
            raw: "__#__________", out: "__#####______"),
    ])
    func eagerFixed(timeline: Timeline) {
        expectEqual(timeline.drawn(Self.fixed), timeline.expected)
    }

    @Test(arguments: [
        Timeline(
            "a short pulse is nothing", raw: "__###_______________",
            out: "____________________"),
        Timeline(
            "a burst settles once, late", raw: "__#_#_##############",
            out: "___________#########"),
        Timeline(
            "exactly the time is enough", raw: "__#####_____________",
            out: "_______#####________"),
    ])
    func `defer`(timeline: Timeline) {
        expectEqual(timeline.drawn(Self.deferred), timeline.expected)
    }

    @Test(arguments: [
        Timeline(
            "a tap is told at once, its release late", raw: "__#_________________",
            out: "__######____________"),
        Timeline(
            "a bounce on release starts the time again", raw: "__##########__#_________",
            out: "__##################____"),
        Timeline(
            "a bounce on press is inside the lock", raw: "__#_####____________",
            out: "__###########_______"),
    ])
    func asymmetric(timeline: Timeline) {
        expectEqual(timeline.drawn(Self.asymmetric), timeline.expected)
    }

    @Test(arguments: [
        Timeline(
            "three samples for, three against", raw: "__#####_______",
            out: "_____#####____"),
        Timeline(
            "a dropout costs one for and one against", raw: "__##_#######__",
            out: "_______#######"),
        Timeline("two samples are not enough", raw: "__##__________", out: "______________"),
    ])
    func integrator(timeline: Timeline) {
        expectEqual(timeline.drawn(Self.integrator), timeline.expected)
    }

    @Test(arguments: [
        Timeline(
            "pulses shorter than two are dropped, the rest is two late",
            raw: "__#__####____###_#____", out: "_______####____#####__"),
        Timeline("exactly two is no glitch", raw: "__##______", out: "____##____"),
    ])
    func glitch(timeline: Timeline) {
        expectEqual(timeline.drawn(DebounceSettings(glitch: .milliseconds(2))), timeline.expected)
    }

    @Test func aDroppedPulseRestartsNothing() {
        let timeline = Timeline("", raw: "__###_##______", out: "____######____")
        let settings = DebounceSettings(
            algorithm: .eager(time: .milliseconds(3), window: .restart), glitch: .milliseconds(2))
        expectEqual(timeline.drawn(settings), timeline.expected)
    }

    @Test(arguments: [
        Timeline(
            "a press within ten is refused with its release",
            raw: "__##__##______##__", out: "__##__________##__"),
        Timeline(
            "one that is still held at the end is told then",
            raw: "__##__##########__", out: "__##________####__"),
        Timeline(
            "a release is never refused", raw: "__#_______________",
            out: "__#_______________"),
    ])
    func lockout(timeline: Timeline) {
        expectEqual(timeline.drawn(DebounceSettings(lockout: .milliseconds(10))), timeline.expected)
    }

    @Test func noneReportsEveryEdge() {
        let timeline = Timeline("", raw: "_#_##__#", out: "_#_##__#")
        expectEqual(timeline.drawn(.none), timeline.expected)
    }
}

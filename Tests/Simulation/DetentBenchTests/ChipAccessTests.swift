import TestSupport
import Testing

@testable import DetentBench

/// Who can open the GPIO chips: each cause once, with its remedy.
@Suite struct ChipAccessTests {
    private func access(
        _ devices: [(group: String?, isRefused: Bool)], groups: Set<String> = [],
        next: Set<String>? = nil, isRoot: Bool = false, rule: String? = nil
    ) -> [Finding] {
        let devices = devices.enumerated().map { number, device in
            ChipAccess.Device(
                path: "/dev/gpiochip\(number)", group: device.group, isRefused: device.isRefused)
        }
        let user = UserAccount(
            name: "pi", isRoot: isRoot, groups: groups, nextGroups: next ?? groups)
        return ChipAccess(devices: devices, user: user, rule: rule).findings
    }

    @Test func aMemberOfTheGroupMayOpenThem() {
        expectEqual(
            access([("gpio", false), ("gpio", false)], groups: ["gpio"]),
            [.fine("pi can open the GPIO chips: the user is in the group gpio")])
    }

    @Test func twoRefusedChipsAreOneProblem() {
        expectEqual(
            access([("gpio", true), ("gpio", true)]),
            [
                .problem(
                    "pi is not in the group gpio: /dev/gpiochip0 and 1 more cannot be opened",
                    "run `sudo usermod -aG gpio pi`, then log in again")
            ])
    }

    @Test func anOldLoginIsNotTheSameAsAMissingGroup() {
        expectEqual(
            access([("gpio", true)], next: ["gpio"]),
            [
                .problem(
                    "pi is in the group gpio, but logged in before that: /dev/gpiochip0 cannot "
                        + "be opened", "log out and log in again")
            ])
    }

    @Test func aRefusedMemberIsToldToLookAtThePermissions() {
        let found = access([("gpio", true)], groups: ["gpio"])
        expectEqual(found.map(\.weight), [.problem])
        #expect(found[0].help.contains("getfacl"))
    }

    @Test func aMissingRuleAndARuleThatWasNotAppliedDiffer() {
        let missing = access([(nil, true), (nil, true)])
        expectEqual(missing.map(\.weight), [.problem])
        #expect(missing[0].text.hasSuffix("the udev rule is missing"))
        #expect(missing[0].help.contains("60-detent.rules"))
        let unused = access([(nil, true)], rule: "/usr/lib/udev/rules.d/60-detent.rules")
        expectEqual(
            unused,
            [
                .problem(
                    "the udev rule /usr/lib/udev/rules.d/60-detent.rules was not applied to "
                        + "/dev/gpiochip0", ChipAccess.trigger)
            ])
    }

    /// Root can open them, but the user of the service could not.
    @Test func rootGetsANoteAboutTheRule() {
        expectEqual(access([(nil, false)], isRoot: true).map(\.weight), [.note])
    }

    @Test func withoutChipsThereIsNothingToSay() {
        #expect(access([], rule: "/etc/udev/rules.d/60-detent.rules").isEmpty)
    }
}

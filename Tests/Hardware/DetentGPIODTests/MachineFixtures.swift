@testable import DetentGPIOD

/// The chips of real machines as their kernels describe them (labels, parents and names as in
/// boards/ and in the kernels' device trees).
enum Machine {
    /// A chip whose lines have the names of `names`, and none beyond.
    static func chip(
        _ number: Int, _ label: String, parent: String = "", lines: Int, names: [Int: String] = [:]
    ) -> ChipRecord {
        ChipRecord(
            path: "/dev/gpiochip\(number)", label: label, parent: parent,
            lines: (0..<lines).map { LineRecord(offset: UInt32($0), name: names[$0] ?? "") })
    }

    /// The header's names in Raspberry Pi kernels: ID_SDA, ID_SCL, GPIO2 to GPIO27.
    static let headerNames: [Int: String] = {
        var names = [0: "ID_SDA", 1: "ID_SCL"]
        for line in 2...27 { names[line] = "GPIO\(line)" }
        return names
    }()

    static let raspberryPi4 = [
        chip(0, "pinctrl-bcm2711", parent: "fe200000.gpio", lines: 58, names: headerNames),
        chip(
            1, "raspberrypi-exp-gpio", parent: "soc:firmware:gpio", lines: 8,
            names: [0: "BT_ON", 1: "WL_ON"]),
    ]

    /// Mainline kernels name the header's lines by what the schematic says.
    static let raspberryPi4Mainline = [
        chip(
            0, "pinctrl-bcm2711", parent: "fe200000.gpio", lines: 58,
            names: [2: "SDA1", 3: "SCL1", 14: "TXD1"]),
        chip(1, "raspberrypi-exp-gpio", parent: "soc:firmware:gpio", lines: 8),
    ]

    private static let brcmstb = [
        ("gpio-brcmstb@107d508500", "107d508500.gpio", 32),
        ("gpio-brcmstb@107d508520", "107d508520.gpio", 4),
        ("gpio-brcmstb@107d517c00", "107d517c00.gpio", 17),
        ("gpio-brcmstb@107d517c20", "107d517c20.gpio", 6),
    ]

    /// Up to Linux 6.6.44: the header is gpiochip4.
    static let raspberryPi5Old =
        brcmstb.enumerated().map {
            chip($0, $1.0, parent: $1.1, lines: $1.2, names: [0: "2712_WAKE", 1: "-", 2: "-"])
        } + [chip(4, "pinctrl-rp1", parent: "1f000d0000.gpio", lines: 54, names: headerNames)]

    /// From Linux 6.6.45: the header is gpiochip0, the chips of the processor are 10 to 13.
    static let raspberryPi5New =
        [chip(0, "pinctrl-rp1", parent: "1f000d0000.gpio", lines: 54, names: headerNames)]
        + brcmstb.enumerated().map {
            chip(10 + $0, $1.0, parent: $1.1, lines: $1.2, names: [0: "2712_WAKE", 1: "-", 2: "-"])
        }

    /// In the kernels whose alias was broken: the header is gpiochip15. Mainline names no lines.
    static let raspberryPi5Mainline =
        brcmstb.enumerated().map { chip($0, $1.0, parent: $1.1, lines: $1.2) }
        + [chip(15, "pinctrl-rp1", parent: "1f000d0000.gpio", lines: 54)]

    /// BeagleBone labels its chips in the order of probing, which differs between kernels.
    static func beagleBone(order: [Int]) -> [ChipRecord] {
        let parents = ["44e07000.gpio", "4804c000.gpio", "481ac000.gpio", "481ae000.gpio"]
        let names = [
            [23: "P8_13 [ehrpwm2b]"], [28: "P9_12 [gpio1_28]", 13: "P8_11"], [2: "P8_7"], [:],
        ]
        return order.enumerated().map { place, bank in
            chip(
                place, "gpio-\(place * 32)-\(place * 32 + 31)", parent: parents[bank], lines: 32,
                names: names[bank])
        }
    }

    /// A PC with Debian: chips, but nothing that a panel could use.
    static let debianPC = [
        chip(0, "INTC1057:00", parent: "INTC1057:00", lines: 360),
        chip(1, "i2c-expander", parent: "1-0020", lines: 16),
    ]
}

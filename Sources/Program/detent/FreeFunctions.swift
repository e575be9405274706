import DetentPanel

/// Looks on this machine whether functions that a panel calls free are really off.
enum FreeFunctions {
    /// A function that is on, with what shows it.
    struct Finding: Equatable {
        var function: String
        var sign: String
    }

    /// The functions that are on, as far as this machine shows it.
    ///
    /// - Parameters:
    ///   - devices: the names in `/dev`.
    ///   - kernelOptions: the text of `/proc/cmdline`.
    static func inUse(
        _ functions: [String], devices: [String], kernelOptions: String
    ) -> [Finding] {
        functions.compactMap { function in
            sign(of: function, devices, kernelOptions)
                .map { Finding(function: function, sign: $0) }
        }
    }

    private static func sign(
        of function: String, _ devices: [String], _ kernelOptions: String
    ) -> String? {
        let number = String(function.reversed().prefix { $0.isNumber }.reversed())
        let family = function.dropLast(number.count)
        switch family {
        case "spi": return device(devices) { $0.hasPrefix("spidev\(number).") }
        case "i2c": return device(devices) { $0 == "i2c-\(number)" }
        case "uart":
            let names = ["serial", "ttyAMA", "ttyS"].map { "\($0)\(number)" }
            let option = kernelOptions.split(separator: " ").first { word in
                names.contains { word == "console=\($0)" || word.hasPrefix("console=\($0),") }
            }
            return option.map { "the kernel has \($0)" }
        case _: return nil
        }
    }

    private static func device(_ devices: [String], _ isIt: (String) -> Bool) -> String? {
        devices.sorted().first(where: isIt).map { "there is /dev/\($0)" }
    }

    /// The names in `/dev`.
    static var devices: [String] { MachineFacts.files("/dev") }

    /// The text of `/proc/cmdline`.
    static var kernelOptions: String {
        let bytes = (try? SourceText.read(file: "/proc/cmdline"))?.bytes ?? []
        return String(decoding: bytes, as: UTF8.self)
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

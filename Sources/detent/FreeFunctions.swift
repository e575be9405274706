import DetentPanel
import Glibc

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
    static var devices: [String] {
        guard let folder = opendir("/dev") else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    /// The text of `/proc/cmdline`.
    static var kernelOptions: String {
        guard let file = fopen("/proc/cmdline", "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

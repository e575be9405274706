internal import Glibc

/// Messages of Open Sound Control to this machine.
enum Datagram {
    /// Sends a message with texts as arguments.
    static func send(_ address: String, _ words: [String], toPort port: UInt16) {
        let types = "," + String(repeating: "s", count: words.count)
        let bytes = ([address, types] + words).flatMap { text -> [UInt8] in
            // Each text ends with at least one zero byte, at a multiple of four.
            let bytes = Array(text.utf8)
            return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
        }
        let file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(file) }
        _ = Descriptor.withAddress(ofPort: port) { address, size in
            bytes.withUnsafeBytes { sendto(file, $0.baseAddress, $0.count, 0, address, size) }
        }
    }
}

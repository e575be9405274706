import CProcess
import Glibc

/// A serial device that this process has opened, with the terms that it had before.
struct SerialPort {
    let descriptor: Int32
    private let saved: detent_serial_saved

    /// Opens a device for this process alone and sets the terms of its line.
    ///
    /// A path of `/dev/serial/by-id` finds a device again that came back under another name.
    init(_ terms: SerialTerms) throws(Errno) {
        var saved = detent_serial_saved()
        var wanted = detent_serial_terms()
        wanted.baud = Int32(clamping: terms.baud)
        wanted.data_bits = Int32(clamping: terms.dataBits)
        wanted.stop_bits = Int32(clamping: terms.stopBits)
        wanted.parity = terms.parity == .none ? 0 : terms.parity == .odd ? 1 : 2
        let device = detent_serial_open(terms.device, &wanted, &saved)
        guard device >= 0 else { throw Errno(number: -device) }
        descriptor = device
        self.saved = saved
    }

    /// Gives the line back as it was.
    func close() {
        withUnsafePointer(to: saved) { detent_serial_close(descriptor, $0) }
    }
}

internal import CInput
internal import DetentHAL
internal import DetentPlatform
internal import DetentTypes

/// An open input device; closed with its last reference.
final class OpenInput: Sendable {
    let path: String
    let file: Int32
    let isExclusive: Bool

    init(path: String, file: Int32, isExclusive: Bool) {
        self.path = path
        self.file = file
        self.isExclusive = isExclusive
    }

    deinit { detent_input_close(file) }

    /// A bit for each pressed key; nil if the device is gone. The kernel drops its waiting keys.
    func keys() -> PressedKeys? {
        var keys = PressedKeys()
        let result = withUnsafeMutableBytes(of: &keys.bits) {
            detent_input_keys(file, $0.bindMemory(to: UInt8.self).baseAddress)
        }
        return result == 0 ? keys : nil
    }
}

/// Which keys of a device are pressed.
struct PressedKeys: Sendable {
    /// 12 words of 64 bits, the lowest first: DETENT_INPUT_KEY_BYTES.
    var bits: InlineArray<12, UInt64> = .init(repeating: 0)

    func contains(_ code: UInt32) -> Bool {
        code < 768 && bits[Int(code / 64)] >> UInt64(code % 64) & 1 == 1
    }
}

/// Finds and opens the devices of lines. It may wait for a driver, so that a thread of its own does
/// it while the panel runs.
struct InputSearch: Sendable {
    /// A line that has no device.
    struct Wanted: Sendable {
        var slot: Int
        var settings: LineSettings
    }

    /// What a search brought.
    struct Answer: Sendable {
        /// Devices that were opened, with their lines and pressed keys.
        var found: [(device: OpenInput, keys: PressedKeys, slots: [Int], at: Instant)] = []
        var failures: [(slot: Int, error: HALError)] = []
    }

    let folders: InputFolders

    /// - Parameter present: open devices, which are not opened again.
    func connect(_ wanted: [Wanted], present: [OpenInput] = []) -> Answer {
        let inventory = InputInventory.scan(folders)
        var answer = Answer()
        var byPath: [(path: String, lines: [Wanted])] = []
        for line in wanted {
            guard let channel = line.settings.location.channel else { continue }
            do throws(HALError) {
                let record = try inventory.record(of: line.settings, channel)
                let path = inventory.path(of: record)
                if let place = byPath.firstIndex(where: { $0.path == path }) {
                    byPath[place].lines.append(line)
                } else {
                    byPath.append((path, [line]))
                }
            } catch {
                answer.failures.append((line.slot, error))
            }
        }
        for (path, lines) in byPath { open(path, lines, present, &answer) }
        return answer
    }

    private func open(
        _ path: String, _ lines: [Wanted], _ present: [OpenInput], _ answer: inout Answer
    ) {
        let isExclusive = lines.contains { $0.settings.location.channel?.isExclusive == true }
        var device = present.first { $0.path == path && (!isExclusive || $0.isExclusive) }
        var failure: Int32 = 0
        if device == nil {
            let file = detent_input_open(path, isExclusive ? 1 : 0)
            if file >= 0 {
                device = OpenInput(path: path, file: file, isExclusive: isExclusive)
            } else {
                failure = -file
            }
        }
        let at = MonotonicClock.now
        guard let device, let keys = device.keys() else {
            answer.failures += lines.map {
                ($0.slot, .inputRefused($0.settings, path, errno: failure == 0 ? 19 : failure))
            }
            return
        }
        answer.found.append((device, keys, lines.map(\.slot), at))
    }
}

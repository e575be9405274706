internal import DetentHAL
internal import DetentTypes
internal import Glibc

extension ChannelSource {
    /// Keys and turning axes of input devices.
    static let input = ChannelSource(
        takes: { InputBackend.takes($0) }, makeBackend: { InputBackend() },
        problems: { lines in InputInventory.scan().problems(of: lines) },
        channels: { device in
            let inventory = InputInventory.scan()
            let records = device.map(inventory.records(named:)) ?? inventory.records
            return records.flatMap { inventory.channels(of: $0) }
        })
}

extension InputInventory {
    func problems(of lines: [LineSettings]) -> [HALError] {
        lines.compactMap { settings in
            guard let channel = settings.location.channel else { return nil }
            do throws(HALError) {
                let path = path(of: try record(of: settings, channel))
                return access(path, R_OK) == 0 ? nil : .inputRefused(settings, path, errno: errno)
            } catch {
                return error
            }
        }
    }

    /// The keys and axes of a device; none if nothing means this device alone.
    func channels(of record: InputRecord) -> [ChannelSource.Channel] {
        guard let device = ownName(of: record) else { return [] }
        func channel(_ kind: DeviceChannel.Kind, _ name: String, _ number: UInt16, part: UInt8)
            -> ChannelSource.Channel
        {
            let key = kind == .inputAxis ? "axis" : "key"
            var location = LineLocation()
            location.channel = DeviceChannel(
                kind: kind, device: device, name: name, number: UInt32(number), part: part)
            return ChannelSource.Channel(
                settings: LineSettings(
                    line: LineID(0), name: "\(device):\(name)", location: location,
                    isActiveLow: false,
                    direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil)),
                panelText: "{device: \"\(device)\", \(key): \(name)}",
                place: "\(name) of \"\(record.name)\"")
        }
        return record.keys.compactMap { code in
            InputRecord.name(of: code, isAxis: false).map {
                channel(.inputKey, $0, code, part: 0)
            }
        }
            + record.axes.flatMap { code in
                (0...1).compactMap { part in
                    InputRecord.name(of: code, isAxis: true).map {
                        channel(.inputAxis, $0, code, part: part)
                    }
                }
            }
    }
}

internal import DetentHAL
internal import DetentTypes
internal import Glibc

extension ChannelSource {
    /// Voltages of converters.
    static let analog = ChannelSource(
        takes: { AnalogBackend.takes($0) }, makeBackend: { AnalogBackend() },
        problems: { lines in
            let inventory = AnalogInventory.scan()
            return lines.compactMap { inventory.problem(of: $0) }
        },
        channels: { device in
            let inventory = AnalogInventory.scan()
            let records = device.map(inventory.records(named:)) ?? inventory.records
            return records.flatMap { inventory.channels(of: $0) }
        })
}

extension AnalogInventory {
    func problem(of settings: LineSettings) -> HALError? {
        guard let channel = settings.location.channel else { return nil }
        do throws(HALError) {
            let path = path(of: try record(of: settings, channel), channel)
            return access(path, R_OK) == 0 ? nil : .converterRefused(settings, path, errno: errno)
        } catch {
            return error
        }
    }

    /// The channels of a converter; none if nothing means this converter alone.
    func channels(of record: ConverterRecord) -> [ChannelSource.Channel] {
        guard let device = ownName(of: record) else { return [] }
        return record.channels.map { number in
            var location = LineLocation()
            location.channel = DeviceChannel(
                kind: .analog, device: device, name: String(number), number: number)
            return ChannelSource.Channel(
                settings: LineSettings(
                    line: LineID(0), name: "\(device):\(number)", location: location,
                    isActiveLow: false,
                    direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil)),
                panelText: "{device: \"\(device)\", channel: \(number)}",
                place: "channel \(number) of \"\(device)\"")
        }
    }
}

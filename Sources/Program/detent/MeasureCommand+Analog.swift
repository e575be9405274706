import DetentBench
import DetentCommand
import DetentDevices
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTypes

/// The ends and the noise of a channel of a converter.
extension MeasureCommand {
    /// The channel that the arguments name; nil if they name a line with levels.
    func analogChannel() throws -> LineSettings? {
        if LineSource.isCapture(source) { return nil }
        if LineSource.isPanel(source) {
            let found = try LineSource.contacts(PanelFile.plan(source), wanted: [line])
            return found.first(where: \.isAnalog)
        }
        return ChannelSource.all.flatMap { $0.channels(source) }.map(\.settings).first {
            $0.isAnalog && $0.location.channel?.name == line
        }
    }

    func measure(_ settings: LineSettings) throws {
        let signals = try SignalInbox(say: { StandardError.write($0) })
        var settings = settings
        settings.location.channel?.tolerance = 0  // the noise is what is measured
        let live = LiveLines([settings])
        var meter = AnalogMeter()
        live.takeSample = { meter.record($1, at: $2) }
        try LineSource.open(live, from: source)
        defer { live.close() }
        StandardError.write(
            "detent: measuring \(settings.name); turn it from its lowest value to its highest, let "
                + "it rest for some seconds, then press Ctrl-C\n")
        _ = try live.watch(
            signals, take: { _ in },
            wake: { now in
                meter.settle(at: now)
                return now + BenchLimits.noiseWindow
            })
        let channel = settings.location.channel
        let text = meter.text(
            name: settings.name,
            channel: "{device: \(channel?.device ?? ""), channel: \(channel?.number ?? 0)}")
        try StandardOutput.writeOrFail(text)
        guard meter.isTurned else {
            throw Failure(
                code: .failed, cause: "\(settings.name) was not turned",
                remedy: "turn it from one end to the other; `detent identify` tells which channel "
                    + "a part is on")
        }
    }
}

import TestSupport
import Testing

@testable import DetentServer

/// What only a gateway reads of what its panel hands on.
@Suite struct GatewaySettingsTests {
    @Test func settingsComeAsTheyWereWritten() {
        var settings = GatewaySettings()
        settings.address = "0.0.0.0"
        settings.names = ["panel.lan", "tür"]
        settings.tokens = AccessTokens(
            all: AccessRole.allCases.map {
                AccessToken(
                    role: $0, text: "secret \($0)", name: $0 == .view ? nil : "key \($0)")
            })
        settings.reloads = true
        expectEqual(GatewaySettings(settings.bytes), settings)
        settings.tokens = AccessTokens()
        settings.webFolder = "/tmp"
        expectEqual(GatewaySettings(settings.bytes), settings)
        for count in 0..<settings.bytes.count {
            #expect(GatewaySettings(Array(settings.bytes.prefix(count))) == nil)
        }
    }
}

import DetentActions
import DetentPanel
import Glibc

extension BrokerConnection.Settings {
    /// The settings of a panel's broker; secrets are read now.
    ///
    /// - Throws: `Problem` if a secret or a certificate cannot be read.
    init(
        _ broker: BrokerPlan, will: BrokerMessage?, isVersion5: Bool
    ) throws(BrokerConnection.Problem) {
        self.init()
        var secrets = SecretFilling(source: .system)
        do throws(SecretError) {
            user = try broker.user.map { user throws(SecretError) in try secrets.fill(user) }
            password = try broker.password.map { word throws(SecretError) in
                try secrets.fill(word)
            }
        } catch {
            throw .init(text: "is not asked: \(error.cause); \(error.remedy)")
        }
        client = broker.clientName
        isSecure = broker.isSecure
        authority = broker.authority ?? BrokerPlan.systemAuthority
        certificate = broker.certificate
        key = broker.key
        for path in [authority, certificate, key].compactMap({ $0 }) where isSecure {
            guard access(path, R_OK) != 0 else { continue }
            throw .init(
                text: "is not asked: \(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        self.will = will
        self.isVersion5 = isVersion5
    }
}

extension BrokerConnection {
    /// Whether the broker refuses because it does not speak version 5: 132 in its own words, 1 in
    /// those of version 3.1.1.
    static func isOtherVersion(_ code: Int32) -> Bool { code == 132 || code == 1 }
}

import DetentActions
import DetentPanel
import DetentTypes
import Glibc

extension MQTTConnection.Settings {
    /// The settings of a panel's broker; secrets are read now.
    ///
    /// - Throws: `Problem` if a secret or a certificate cannot be read.
    init(
        _ broker: BrokerPlan, will: MQTTMessage?, isVersion5: Bool
    ) throws(MQTTConnection.Problem) {
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
            var status = stat()
            guard access(path, R_OK) == 0, stat(path, &status) == 0 else {
                let cause = String(cString: strerror(errno))
                throw .init(text: "is not asked: \(path) cannot be read: \(cause)")
            }
            // A pipe would be waited for.
            guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
                throw .init(text: "is not asked: \(path) is not a file; name a file in PEM form")
            }
        }
        self.will = will
        self.isVersion5 = isVersion5
    }
}

extension BrokerPlan {
    private var secrets: [SecretReference] {
        var found: [SecretReference] = []
        for text in [user, password].compactMap({ $0 }) {
            _ = SecretReference.replaced(in: text) { inside in
                if let secret = SecretReference(inside) { found.append(secret) }
                return ""
            }
        }
        return found
    }

    /// The variables that its process needs: secrets, and those of look-ups of names.
    var variables: [String] {
        secrets.compactMap { if case .variable(let name) = $0 { name } else { nil } }
            + ["LOCALDOMAIN", "RES_OPTIONS"]
    }

    /// The files that its process reads again at each attempt.
    var files: [String] {
        secrets.compactMap { if case .file(let path) = $0 { path } else { nil } }
            + [authority ?? Self.systemAuthority, certificate, key].compactMap { $0 }
    }

    /// Replaces the path of each of these files by the one that `copy` gives for it.
    mutating func keepFiles(_ copy: (String) -> String) {
        authority = authority.map(copy)
        certificate = certificate.map(copy)
        key = key.map(copy)
        user = user.map { Self.keepSecrets(of: $0, copy) }
        password = password.map { Self.keepSecrets(of: $0, copy) }
    }

    private static func keepSecrets(of text: String, _ copy: (String) -> String) -> String {
        SecretReference.replaced(in: text) { inside in
            guard case .file(let path) = SecretReference(inside) else { return "${\(inside)}" }
            return "${file:\(copy(path))}"
        }
    }
}

extension MQTTConnection {
    /// Whether the broker refuses because it does not speak version 5: 132 in its own words, 1 in
    /// those of version 3.1.1.
    static func isOtherVersion(_ code: Int32) -> Bool { code == 132 || code == 1 }
}
